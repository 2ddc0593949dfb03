-- A file goes with the context that it was written of.
insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
select i.request_id, 'export', x.export_id, x.audience_id, i.action
from memory.erasure_item as i
join memory.export as x on x.snapshot_id = i.item_id
where i.request_id = %(request_id)s and i.kind = 'snapshot' and i.action in ('erase', 'keep')
on conflict (request_id, kind, item_id) do update set action = excluded.action
where erasure_item.action <> 'erase'
