-- Stored answers of the dialogs, with what is planned for those of the evidence and of messages that
-- go wholly.
with evidence_of as materialized (
    select e.message_id from memory.evidence_messages(%(request_id)s) as e
)
select x.extraction_id, c.answer,
    case
        when m.action = 'erase' then 'erase'
        when x.message_id in (select e.message_id from evidence_of as e) then 'redact'
    end
from memory.erasure_item as i
join memory.extraction as x on x.extraction_id = i.item_id
join memory.extraction_content as c on c.extraction_id = x.extraction_id
join memory.erasure_item as m
    on m.request_id = i.request_id and m.kind = 'message' and m.item_id = x.message_id
where i.request_id = %(request_id)s and i.kind = 'extraction'
