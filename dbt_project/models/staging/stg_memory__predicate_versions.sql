select
    predicate_id,
    version,
    cardinality::text as cardinality,
    set_at
from {{ source('memory', 'predicate_version') }}
