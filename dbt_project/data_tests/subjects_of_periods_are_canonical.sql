-- Periods of a subject that was merged into another, or split from it, are gone.
select p.subject_id, s.subject_id as canonical_id
from {{ ref('atom_periods') }} as p
join {{ ref('int_subjects') }} as s on s.entity_id = p.subject_id
{% if not var('check_all') %}
join {{ ref('int_touched_entities') }} as e on e.entity_id = p.subject_id
{% endif %}
where p.subject_id <> s.subject_id
