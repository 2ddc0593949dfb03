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
    order by s.position
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
kept_secrets as (
    insert into memory.secret (secret_id, tenant_id, batch_id, type, value_key)
    select distinct on (s.value_key) s.new_secret_id, %(tenant_id)s, %(batch_id)s, s.type, s.value_key
    from stage_secret as s
    join added as a on a.message_id = s.new_message_id
    on conflict (tenant_id, value_key) do nothing
    returning secret_id, value_key
),
uses as (
    insert into memory.secret_use (
        secret_id, message_id, audience_id, batch_id, span_start, span_end
    )
    select
        coalesce(k.secret_id, s.new_secret_id), a.message_id, a.audience_id, %(batch_id)s,
        s.span_start, s.span_end
    from stage_secret as s
    join added as a on a.message_id = s.new_message_id
    left join kept_secrets as k using (value_key)
)
select count(*) from added
