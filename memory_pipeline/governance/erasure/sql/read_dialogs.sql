-- What the dialogs are called, of those that are not known to go wholly.
select d.dialog_id, jsonb_build_array(d.title, d.namespace, d.native_id)
from memory.erasure_item as i
join memory.dialog_content as d on d.dialog_id = i.item_id
where i.request_id = %(request_id)s and i.kind = 'dialog' and i.action <> 'erase'
