select
    entity_id,
    tenant_id,
    batch_id,
    kind::text as kind,
    dialog_id
from {{ source('memory', 'entity') }}
