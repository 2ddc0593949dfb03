select
    batch_id,
    batch_no,
    tenant_id,
    kind,
    recorded_at
from {{ source('memory', 'batch') }}
