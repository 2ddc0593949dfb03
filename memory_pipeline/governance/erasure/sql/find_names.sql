-- Names of those who only took part in dialogs that go, and of those mentioned whom no statement that
-- stays is about.
insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
select %(request_id)s, 'name', n.name_id, null, 'erase'
from memory.name_content as n
join memory.entity as e using (entity_id)
where (
        e.dialog_id in (
            select i.item_id from memory.erasure_item as i
            where i.request_id = %(request_id)s and i.kind = 'dialog' and i.action = 'erase')
        or e.kind = 'mention' and e.entity_id in (
            select unnest(array[a.subject_id, a.object_entity_id])
            from memory.erasure_item as i
            join memory.atom as a on a.atom_id = i.item_id
            where i.request_id = %(request_id)s and i.kind = 'atom' and i.action = 'erase')
    )
    and not exists (
        select from memory.atom as a
        where (a.subject_id = e.entity_id or a.object_entity_id = e.entity_id)
            and not exists (select from memory.tombstone as t where t.atom_id = a.atom_id)
            and not exists (select from memory.withdrawal as w where w.statement_id = a.atom_id)
            and not exists (
                select from memory.erasure_item as i
                where i.request_id = %(request_id)s and i.kind = 'atom' and i.item_id = a.atom_id
                    and i.action = 'erase'))
    and not exists (
        select from memory.closure as c
        where c.subject_id = e.entity_id and not exists (
            select from memory.erasure_item as i
            where i.request_id = %(request_id)s and i.kind = 'closure' and i.item_id = c.closure_id
                and i.action = 'erase'))
on conflict (request_id, kind, item_id) do update set action = 'erase'
