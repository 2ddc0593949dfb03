-- Whom a request is about, with their names: the person of its scope or of its atoms; of a scope without
-- either, everybody of whom it erases a statement. (Not simply the latter: a statement of somebody else
-- that loses its ground goes as well, and makes nobody one of these.)
with request as materialized (
    select r.scope from memory.erasure_request as r where r.request_id = %(request_id)s
),
named as materialized (
    select (r.scope ->> 'entity_id')::uuid as subject_id
    from request as r where r.scope ->> 'entity_id' is not null
    union
    select a.subject_id
    from request as r
    cross join lateral (
        select (r.scope ->> 'atom_id')::uuid as atom_id
        union all
        select o::uuid
        from jsonb_array_elements_text(coalesce(nullif(r.scope -> 'atom_ids', 'null'), '[]')) as o
    ) as o
    join memory.atom as a on a.atom_id = o.atom_id
),
subject as materialized (
    select n.subject_id from named as n
    union
    select a.subject_id
    from memory.erasure_item as i
    join memory.atom as a on a.atom_id = i.item_id
    where i.request_id = %(request_id)s and i.kind = 'atom' and i.action = 'erase'
        and not exists (select from named)
    union
    select c.subject_id
    from memory.erasure_item as i
    join memory.closure as c on c.closure_id = i.item_id
    where i.request_id = %(request_id)s and i.kind = 'closure' and i.action = 'erase'
        and not exists (select from named)
)
select member, array(select n.name from memory.name_content as n where n.entity_id = member)
from unnest(memory.component(array(select s.subject_id from subject as s))) as member
