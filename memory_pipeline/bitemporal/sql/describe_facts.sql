-- What facts of the graph say, under the reader's rights.
select a.atom_id as fact_id, n.name as subject, p.name as predicate, c.object, a.valid_from, a.valid_to
from memory.atom as a
join memory.predicate as p using (predicate_id)
join memory.atom_content as c on c.atom_id = a.atom_id and c.subject_id = a.subject_id
left join lateral (
    select name from memory.name_content
    where entity_id = a.subject_id and form <> 'native' order by lookup limit 1
) as n on true
where a.atom_id = any (%(ids)s)
