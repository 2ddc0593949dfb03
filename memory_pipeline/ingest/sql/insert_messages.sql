with added as (
    insert into memory.message (
        message_id, tenant_id, audience_id, batch_id, dialog_id, speaker_id, file_id, position,
        message_key, role, sent_at, sent_at_source, edited_at, ordinal, tz, lang, is_quoted,
        text_hash, n_chars
    )
    select
        s.new_message_id, %(tenant_id)s, s.audience_id, %(batch_id)s, d.dialog_id, e.entity_id,
        %(file_id)s, s.position, s.message_key, s.role, s.sent_at, s.sent_at_source, s.edited_at,
        s.ordinal, s.tz, s.lang, s.is_quoted, s.text_hash, s.n_chars
    from stage_message as s
    join memory.dialog as d on d.tenant_id = %(tenant_id)s and d.dialog_key = s.dialog_key
    join memory.entity as e on e.tenant_id = %(tenant_id)s and e.entity_key = s.speaker_key
    -- by key, so that two sessions with the same messages wait for each other and never in a ring;
    -- of two texts of one key the first of the file is taken
    order by s.message_key, s.edited_at, s.position
    on conflict (tenant_id, message_key, edited_at) do nothing
    returning message_id, dialog_id, audience_id
),
texts as (
    insert into memory.message_content (
        message_id, dialog_id, audience_id, native_id, text, attachments, tags
    )
    select a.message_id, a.dialog_id, a.audience_id, s.native_id, s.text, s.attachments, s.tags
    from added as a
    join stage_message as s on s.new_message_id = a.message_id
),
uses as (
    insert into memory.secret_use (
        secret_id, message_id, audience_id, batch_id, span_start, span_end
    )
    select k.secret_id, a.message_id, a.audience_id, %(batch_id)s, s.span_start, s.span_end
    from stage_secret_use as s
    join added as a on a.message_id = s.new_message_id
    join memory.live_secret as k on k.tenant_id = %(tenant_id)s and k.value_key = s.value_key
)
select count(*) from added
