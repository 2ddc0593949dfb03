select
    tenant_id,
    kind,
    predicate,
    importance,
    count(*) as n_atoms,
    count(distinct subject_id) as n_subjects,
    count(*) filter (where status = 'contradicted') as n_contradicted,
    count(*) filter (where status = 'erased') as n_erased,
    count(*) filter (where status = 'secret') as n_secret
from {{ ref('atoms_current') }}
group by tenant_id, kind, predicate, importance
