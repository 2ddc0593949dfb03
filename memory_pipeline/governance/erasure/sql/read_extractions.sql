-- Stored answers of the dialogs, with what is planned for those of the evidence and of messages that
-- go wholly.
with evidence_of as materialized (
    select e.message_id from memory.evidence_messages(%(request_id)s) as e
)
select x.extraction_id, c.answer,
    case
        when x.planned = 'erase' then 'erase'
        when x.message_id in (select e.message_id from evidence_of as e) then 'redact'
    end
from (
    select s.extraction_id, s.message_id, (
        select m.action from memory.erasure_item as m
        where m.request_id = i.request_id and m.kind = 'message' and m.item_id = s.message_id
    ) as planned
    from memory.erasure_item as i
    join memory.extraction as s on s.extraction_id = i.item_id
    where i.request_id = %(request_id)s and i.kind = 'extraction'
) as x
join memory.extraction_content as c on c.extraction_id = x.extraction_id
where x.planned is not null
