-- What facts of the graph say now, under the reader's rights: the graph holds every statement as it
-- was told, this keeps those that hold, with the period that resolution gives them.
with
facts as (
    select a.atom_id, a.subject_id, a.predicate_id
    from memory.atom as a
    where a.atom_id = any (%(ids)s)
),
subjects as (
    select subject_id, memory.component(array[subject_id]) as members
    from (select distinct subject_id from facts) as s
)
select
    f.atom_id as fact_id, n.name as subject, held.predicate, held.object, held.valid_from,
    held.valid_to
from facts as f
join subjects as s using (subject_id)
join lateral (
    select * from memory.as_of(s.members, f.predicate_id, %(now)s, %(now)s) as x
    where x.atom_id = f.atom_id and x.status <> 'erased'
    limit 1
) as held on true
left join lateral (
    select name from memory.name_content as n
    where n.entity_id = any (s.members) and n.form <> 'native'
    group by name order by count(*) desc, name limit 1
) as n on true
