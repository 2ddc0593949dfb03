-- What a request erases: values with the types of their predicates, and names of a whole subject.
select c.object, p.value_type
from memory.erasure_item as i
join memory.atom as a on a.atom_id = i.item_id
join memory.atom_content as c on c.atom_id = a.atom_id and c.subject_id = a.subject_id
join memory.predicate_current as p on p.predicate_id = a.predicate_id
where i.request_id = %(request_id)s and i.kind = 'atom' and i.action = 'erase' and a.secret_id is null
union
select c.object, p.value_type
from memory.erasure_item as i
join memory.closure as x on x.closure_id = i.item_id
join memory.closure_content as c on c.closure_id = x.closure_id
join memory.predicate_current as p on p.predicate_id = x.predicate_id
where i.request_id = %(request_id)s and i.kind = 'closure' and i.action = 'erase'
    and c.object is not null
    -- a mask, as the object of a secret's end
    and not exists (
        select from memory.atom as a
        where a.subject_id = x.subject_id and a.predicate_id = x.predicate_id
            and a.object_key = x.object_key and a.secret_id is not null)
union
select to_jsonb(n.name), 'name'
from memory.erasure_item as i
join memory.name_content as n on n.name_id = i.item_id
join memory.erasure_request as r using (request_id)
where i.request_id = %(request_id)s and i.kind = 'name' and memory.is_whole_subject(r.scope)
    and n.entity_id = any (memory.scope_members(r.scope))
order by 1, 2
