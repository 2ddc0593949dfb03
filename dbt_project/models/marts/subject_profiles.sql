select
    a.tenant_id,
    a.subject_id,
    (
        select array_agg(distinct n.name)
        from {{ ref('int_subjects') }} as s
        join {{ source('memory', 'name_content') }} as n on n.entity_id = s.entity_id
        where s.subject_id = a.subject_id
    ) as subject_names,
    a.predicate_id,
    a.predicate,
    a.label_ru,
    a.label_en,
    count(*) as n_values,
    count(*) filter (where a.status = 'contradicted') as n_contradicted,
    count(*) filter (where a.status = 'erased') as n_erased,
    array_agg(a.atom_id order by a.valid_from nulls first, a.atom_id) as atom_ids,
    jsonb_agg(a.object order by a.valid_from nulls first, a.atom_id)
        filter (where a.object is not null) as objects,
    max(a.told_at) as last_told_at
from {{ ref('atoms_current') }} as a
group by a.tenant_id, a.subject_id, a.predicate_id, a.predicate, a.label_ru, a.label_en
