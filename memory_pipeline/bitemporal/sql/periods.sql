select
    p.name as predicate,
    case when r.erased or a.secret_id is not null then null else c.object end as object,
    r.valid_from, r.valid_to, r.known_from, r.known_to, r.atom_id, r.supersedes, r.supports,
    r.contradicted_by,
    -- what is fenced has its record and no content that anybody sees
    r.erased or c.atom_id is null as erased
from memory.rectangles_of(%(subjects)s, %(predicate_id)s, %(batch_no)s) as r
join memory.predicate as p using (predicate_id)
join memory.atom as a on a.atom_id = r.atom_id
left join memory.atom_content as c on c.atom_id = a.atom_id and c.subject_id = a.subject_id
order by p.name, r.known_from nulls first, r.valid_from nulls first, r.atom_id
