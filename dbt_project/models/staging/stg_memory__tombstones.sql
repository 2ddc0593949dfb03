select
    atom_id,
    tenant_id,
    batch_id,
    request_id,
    erased_at
from {{ source('memory', 'tombstone') }}
