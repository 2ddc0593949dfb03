select
    statement_id,
    message_id,
    batch_id,
    span_start,
    span_end
from {{ source('memory', 'evidence') }}
