-- Periods of this atom's key to which it lends support.
select distinct g.atom_id
from memory.atom as a
cross join lateral memory.timeline(
    memory.component(array[a.subject_id]), a.predicate_id, null
) as g
where a.atom_id = %(atom_id)s and a.atom_id = any (g.supports)
