-- Periods in which what this atom says holds, as known now: on its own word, or as one more support
-- of another. None where it was corrected, retracted, called off or beaten.
select g.atom_id, g.valid_from, g.valid_to
from memory.atom as a
cross join lateral memory.timeline(
    memory.component(array[a.subject_id]), a.predicate_id, null
) as g
where a.atom_id = %(atom_id)s and (a.atom_id = g.atom_id or a.atom_id = any (g.supports))
order by g.valid_from nulls first
