select
    ---------- ids
    p.tenant_id,
    p.subject_id,
    p.predicate_id,
    p.atom_id,
    o.statement_id as other_statement_id,
    o.statement_id = oc.closure_id is true as other_is_closure,

    ---------- labels
    p.predicate,
    a.trust,
    coalesce(oa.trust, oc.trust) as other_trust,
    a.origin,
    coalesce(oa.origin, oc.origin) as other_origin,
    oc.action as other_action,

    ---------- content
    memory.shown(c.object) as object,
    memory.shown(c.text) as text,
    memory.shown(coalesce(oac.object, occ.object)) as other_object,
    memory.shown(coalesce(oac.text, occ.text)) as other_text,

    ---------- times
    p.valid_from,
    p.valid_to,
    p.known_from,
    p.known_to,
    a.told_at,
    coalesce(oa.told_at, oc.told_at) as other_told_at
from {{ ref('atom_periods') }} as p
cross join lateral unnest(p.contradicted_by) as o (statement_id)
join {{ ref('stg_memory__atoms') }} as a on a.atom_id = p.atom_id
left join {{ source('memory', 'atom_content') }} as c
    on c.atom_id = a.atom_id and c.subject_id = a.subject_id
left join {{ ref('stg_memory__atoms') }} as oa on oa.atom_id = o.statement_id
left join {{ source('memory', 'atom_content') }} as oac
    on oac.atom_id = oa.atom_id and oac.subject_id = oa.subject_id
left join {{ ref('stg_memory__closures') }} as oc on oc.closure_id = o.statement_id
left join {{ source('memory', 'closure_content') }} as occ on occ.closure_id = oc.closure_id
