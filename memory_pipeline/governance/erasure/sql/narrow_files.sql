-- A file that brought known messages again is planned until it is seen that none of what goes was
-- among them.
update memory.erasure_item as i
set action = f.action
from (
    select p.file_id, (case when p.holds or p.may_hold then 'redact' else 'keep' end)::memory.erasure_action
        as action
    from memory.planned_files(%(request_id)s) as p
) as f
where i.request_id = %(request_id)s and i.kind = 'file' and i.item_id = f.file_id
    and i.action in ('redact', 'keep') and i.action <> f.action
