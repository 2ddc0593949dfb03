select
    statement_id,
    tenant_id,
    batch_id,
    reason
from {{ source('memory', 'withdrawal') }}
