select
    predicate_id,
    tenant_id,
    name,
    version,
    value_type,
    cardinality::text as cardinality,
    tags,
    sensitivity,
    default_importance::text as default_importance,
    label_ru,
    label_en
from {{ source('memory', 'predicate_current') }}
