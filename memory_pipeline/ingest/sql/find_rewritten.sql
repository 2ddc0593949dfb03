-- Texts that redactions left, of messages where a rewritten file's may be: of a format without ids,
-- its text makes another key than the one first read.
select s.new_message_id, c.text
from stage_message as s
join memory.dialog as d on d.tenant_id = %(tenant_id)s and d.dialog_key = s.dialog_key
join memory.entity as e on e.tenant_id = %(tenant_id)s and e.entity_key = s.speaker_key
join memory.message as m
    on m.dialog_id = d.dialog_id and m.speaker_id = e.entity_id
    and m.sent_at is not distinct from s.sent_at
join memory.message_content as c on c.message_id = m.message_id and c.dialog_id = m.dialog_id
where s.new_message_id = any (%(masked)s)
    and exists (select from memory.redaction as r where r.message_id = m.message_id)
