-- What becomes of refused records, now that they were read.
insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
select %(request_id)s, 'quarantine', x.item_id, null, x.action::memory.erasure_action
from unnest(%(ids)s::uuid[], %(actions)s::text[]) as x (item_id, action)
on conflict (request_id, kind, item_id) do update set action = excluded.action
where erasure_item.action <> excluded.action
