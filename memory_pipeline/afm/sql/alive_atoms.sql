-- Atoms, restatements included, that hold at the valid moment or are still to come.
select g.atom_id, g.supports, g.supersedes
from jsonb_array_elements(%(people)s) as p (members)
cross join lateral memory.timeline(
    array(select jsonb_array_elements_text(p.members)::uuid), null, %(known_at)s, %(batch_no)s
) as g
where g.valid_to is null or g.valid_to > %(valid_at)s
