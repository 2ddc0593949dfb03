-- Names of those who only took part in dialogs that go, and of those mentioned whom no statement that
-- stays is about.
insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
select %(request_id)s, 'name', n.name_id, null, 'erase'
from (
    select e.entity_id
    from memory.erasure_item as i
    join memory.entity as e on e.dialog_id = i.item_id
    where i.request_id = %(request_id)s and i.kind = 'dialog' and i.action = 'erase'
    union
    select e.entity_id
    from memory.erasure_item as i
    join memory.atom as a on a.atom_id = i.item_id
    join memory.entity as e on e.entity_id in (a.subject_id, a.object_entity_id)
    where i.request_id = %(request_id)s and i.kind = 'atom' and i.action = 'erase'
        and e.kind = 'mention'
) as e
join memory.name_content as n using (entity_id)
where not exists (
        select from memory.atom as a
        where (a.subject_id = e.entity_id or a.object_entity_id = e.entity_id)
            and not exists (select from memory.tombstone as t where t.atom_id = a.atom_id)
            and not exists (select from memory.withdrawal as w where w.statement_id = a.atom_id)
            and coalesce((
                select i.action <> 'erase' from memory.erasure_item as i
                where i.request_id = %(request_id)s and i.kind = 'atom' and i.item_id = a.atom_id),
                true))
    and not exists (
        select from memory.closure as c
        where c.subject_id = e.entity_id and coalesce((
            select i.action <> 'erase' from memory.erasure_item as i
            where i.request_id = %(request_id)s and i.kind = 'closure' and i.item_id = c.closure_id),
            true))
on conflict (request_id, kind, item_id) do update set action = 'erase'
