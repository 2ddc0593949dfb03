-- One id, one edit time, two texts: neither can be believed. `redacted` is what a redaction left of
-- the stored one: a text that equals it comes from a file that was rewritten.
select
    s.new_message_id,
    (
        select c.text from memory.message_content as c
        where c.message_id = m.message_id and c.dialog_id = m.dialog_id
            and exists (select from memory.redaction as r where r.message_id = m.message_id)
    ) as redacted,
    m.message_id, m.text_hash, m.file_id, m.position, m.audience_id
from stage_message as s
join memory.message as m
    on m.tenant_id = %(tenant_id)s and m.message_key = s.message_key
    and m.edited_at is not distinct from s.edited_at
where m.text_hash <> s.text_hash
