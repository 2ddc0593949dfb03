-- A mention elsewhere goes: its message, the sentences and answers that discovery found to hold the
-- value, and the packed contexts that carry any of them.
with message as (
    select m.message_id, m.audience_id from memory.message as m where m.message_id = %(message_id)s
),
drawn as (
    select i.kind, i.item_id, i.item_audience_id
    from memory.erasure_item as i
    join (
        select atom_id as item_id, message_id from memory.atom
        union all
        select extraction_id, message_id from memory.extraction
    ) as x on x.item_id = i.item_id
    where i.request_id = %(request_id)s and i.kind in ('atom', 'extraction') and i.action = 'keep'
        and x.message_id = %(message_id)s
),
packed as (
    select distinct s.snapshot_id, s.audience_id
    from memory.snapshot_item as x
    join memory.snapshot as s using (snapshot_id)
    where x.item_id = %(message_id)s or x.item_id in (select d.item_id from drawn as d)
)
insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
select %(request_id)s::uuid, 'message'::memory.erasure_kind, message_id, audience_id,
    'redact'::memory.erasure_action
from message
union all
select %(request_id)s, kind, item_id, item_audience_id, 'redact' from drawn
union all
select %(request_id)s, 'snapshot', snapshot_id, audience_id, 'erase' from packed
union all
select %(request_id)s, 'export', x.export_id, x.audience_id, 'erase'
from memory.export as x join packed using (snapshot_id)
on conflict (request_id, kind, item_id) do update set action = excluded.action
where erasure_item.action in ('hide', 'keep')
