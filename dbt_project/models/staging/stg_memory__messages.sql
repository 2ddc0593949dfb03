select
    message_id,
    tenant_id,
    audience_id,
    batch_id,
    dialog_id,
    speaker_id,
    role::text as role,
    sent_at,
    sent_at_source::text as sent_at_source,
    edited_at,
    lang
from {{ source('memory', 'message') }}
