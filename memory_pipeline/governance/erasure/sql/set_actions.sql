-- What becomes of items of one kind. What goes already stays so; the rest is as read now.
insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
select %(request_id)s, %(kind)s::memory.erasure_kind, x.item_id, null, x.action::memory.erasure_action
from unnest(%(ids)s::uuid[], %(actions)s::text[]) as x (item_id, action)
on conflict (request_id, kind, item_id) do update set action = excluded.action
where erasure_item.action <> excluded.action
    and not (erasure_item.action = 'erase' and excluded.kind not in ('message'))
    and not (erasure_item.action in ('redact', 'erase') and excluded.action = 'keep')
