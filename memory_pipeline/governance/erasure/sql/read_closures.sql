-- Closures that stay, of messages that the plan reads.
select a.closure_id, c.object, c.text, false
from memory.erasure_item as i
join memory.closure as a on a.message_id = i.item_id
join memory.closure_content as c on c.closure_id = a.closure_id
left join memory.erasure_item as own
    on own.request_id = i.request_id and own.kind = 'closure' and own.item_id = a.closure_id
where i.request_id = %(request_id)s and i.kind = 'message' and own.action is distinct from 'erase'
