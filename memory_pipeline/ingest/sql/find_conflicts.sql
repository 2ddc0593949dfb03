-- One id, one edit time, two texts: neither can be believed.
select s.new_message_id, m.message_id, m.text_hash, m.file_id, m.position, m.audience_id
from stage_message as s
join memory.message as m
    on m.tenant_id = %(tenant_id)s and m.message_key = s.message_key
    and m.edited_at is not distinct from s.edited_at
where m.text_hash <> s.text_hash
