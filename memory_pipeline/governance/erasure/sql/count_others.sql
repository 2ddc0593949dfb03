-- Statements that a request erases though it is not about their subject: they rest on what goes, or say a
-- value that is masked in their evidence. None where a scope names nobody.
select count(*)
from memory.erasure_request as r
cross join lateral memory.scope_members(r.scope) as members
join memory.erasure_item as i on i.request_id = r.request_id and i.action = 'erase'
left join memory.atom as a on i.kind = 'atom' and a.atom_id = i.item_id
left join memory.closure as c on i.kind = 'closure' and c.closure_id = i.item_id
where r.request_id = %(request_id)s
    and i.kind in ('atom', 'closure')
    and coalesce(a.subject_id, c.subject_id) <> all (members)
    and (a.object_entity_id = any (members)) is not true
