select
    same_as_id,
    tenant_id,
    batch_id,
    left_id,
    right_id,
    is_same,
    rule,
    rule_version,
    told_at
from {{ source('memory', 'same_as') }}
