-- A dialog whose every message goes wholly goes with its name.
update memory.erasure_item as i
set action = 'erase'
where i.request_id = %(request_id)s and i.kind = 'dialog' and not exists (
    select from memory.message as m
    where m.dialog_id = i.item_id and coalesce((
        select x.action <> 'erase' from memory.erasure_item as x
        where x.request_id = i.request_id and x.kind = 'message' and x.item_id = m.message_id),
        true))
