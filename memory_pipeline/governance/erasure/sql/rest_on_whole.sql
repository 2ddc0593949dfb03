-- Statements that rest on nothing but messages of a person that go wholly: in the plan of whoever spoke
-- them, whatever subject they were given.
with whole as materialized (
    select w.message_id
    from memory.erasure_request as r
    cross join lateral memory.whole_messages(r.request_id) as w
    where r.request_id = %(request_id)s and memory.scope_members(r.scope) is not null
),
told as materialized (
    select v.statement_id from whole join memory.evidence as v using (message_id)
    union
    select a.atom_id from whole join memory.atom as a using (message_id)
    union
    select c.closure_id from whole join memory.closure as c using (message_id)
),
open as materialized (
    select t.statement_id
    from told as t
    where not exists (
            select from memory.erasure_item as i
            where i.request_id = %(request_id)s and i.kind in ('atom', 'closure')
                and i.item_id = t.statement_id and i.action = 'erase')
        and not exists (
            select from memory.evidence as v
            where v.statement_id = t.statement_id
                and v.message_id not in (select w.message_id from whole as w))
)
insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
select %(request_id)s::uuid, 'atom'::memory.erasure_kind, a.atom_id, a.audience_id,
    'erase'::memory.erasure_action
from open as o
join memory.atom as a on a.atom_id = o.statement_id
where not exists (select from memory.tombstone as t where t.atom_id = a.atom_id)
union all
select %(request_id)s, 'closure', c.closure_id, c.audience_id, 'erase'
from open as o
join memory.closure as c on c.closure_id = o.statement_id
where exists (select from memory.closure_content as x where x.closure_id = c.closure_id)
on conflict (request_id, kind, item_id) do update set action = 'erase'
where erasure_item.action <> 'erase'
