-- Holds one chunk of messages for the length of its transaction: COPY is refused on tables under
-- row-level security, and a temporary table leaves nothing behind.
create temporary table if not exists stage_message (
    position bigint not null,
    new_message_id uuid not null,
    new_dialog_id uuid not null,
    new_speaker_id uuid not null,
    new_person_id uuid not null,
    audience_id int not null,
    dialog_key bytea not null,
    speaker_key bytea not null,
    person_key bytea not null,
    message_key bytea not null,
    text_hash bytea not null,
    role memory.message_role not null,
    sent_at timestamptz,
    sent_at_source memory.sent_at_source not null,
    edited_at timestamptz,
    ordinal bigint,
    tz text,
    lang text not null,
    is_quoted boolean not null,
    n_chars int not null,
    namespace text not null,
    native_dialog text not null,
    dialog_title text,
    dialog_lookup bytea not null,
    native_id text,
    speaker text not null,
    speaker_native text,
    speaker_lookup bytea not null,
    native_lookup bytea,
    speaker_alias text,
    alias_lookup bytea,
    text text not null,
    attachments jsonb,
    tags text[]
) on commit delete rows;
create temporary table if not exists stage_secret_use (
    new_message_id uuid not null,
    value_key bytea not null,
    span_start int not null,
    span_end int not null
) on commit delete rows;
