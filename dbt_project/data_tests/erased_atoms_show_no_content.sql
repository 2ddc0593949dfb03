-- An erased atom keeps its place in time and shows nothing of what it said.
select a.atom_id
from {{ ref('atoms_as_of') }} as a
join {{ ref('stg_memory__tombstones') }} as t on t.atom_id = a.atom_id
where a.object is not null or a.text is not null or a.status <> 'erased'
