-- Closures that stay, of messages that the plan reads.
select a.closure_id, c.object, c.text, false
from (
    select s.*, (
        select own.action from memory.erasure_item as own
        where own.request_id = i.request_id and own.kind = 'closure' and own.item_id = s.closure_id
    ) as planned
    from memory.erasure_item as i
    join memory.closure as s on s.message_id = i.item_id
    where i.request_id = %(request_id)s and i.kind = 'message'
) as a
join memory.closure_content as c on c.closure_id = a.closure_id
where a.planned is distinct from 'erase'
