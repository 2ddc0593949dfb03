-- Those of some messages that lie in dialogs which the plan does not read.
select m.message_id, c.text
from memory.message as m
join memory.message_content as c on c.message_id = m.message_id and c.dialog_id = m.dialog_id
where m.message_id = any (%(ids)s) and coalesce((
    select false from memory.erasure_item as i
    where i.request_id = %(request_id)s and i.kind = 'dialog' and i.item_id = m.dialog_id), true)
