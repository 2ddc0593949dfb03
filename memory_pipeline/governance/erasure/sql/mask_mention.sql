-- A mention elsewhere goes: its message, the statements that say the erased value there with what was
-- derived from them, the sentences and answers that discovery found to hold it, and the packed contexts
-- that carry any of these.
with recursive message as (
    select m.message_id, m.audience_id from memory.message as m where m.message_id = %(message_id)s
),
resting as materialized (
    select s.kind, s.item_id, s.audience_id
    from memory.evidence as v
    join (
        select 'atom' as kind, atom_id as item_id, audience_id, object_key from memory.atom
        where secret_id is null
        union all
        select 'closure', closure_id, audience_id, object_key from memory.closure
    ) as s on s.item_id = v.statement_id
    where v.message_id = %(message_id)s
        and v.span_start < %(span_end)s and v.span_end > %(span_start)s
        and s.object_key in (
            select a.object_key
            from memory.erasure_item as i
            join memory.atom as a on a.atom_id = i.item_id
            where i.request_id = %(request_id)s and i.kind = 'atom' and i.action = 'erase')
),
groundless (kind, item_id, audience_id) as (
    select r.kind, r.item_id, r.audience_id from resting as r
    union
    select 'atom', a.atom_id, a.audience_id
    from groundless as g
    join memory.derivation as d on d.parent_id = g.item_id
    join memory.atom as a on a.atom_id = d.child_id
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
        and x.message_id = %(message_id)s and i.item_id not in (select g.item_id from groundless as g)
),
packed as (
    select distinct s.snapshot_id, s.audience_id
    from memory.snapshot_item as x
    join memory.snapshot as s using (snapshot_id)
    where x.item_id = %(message_id)s or x.item_id in (select d.item_id from drawn as d)
        or x.item_id in (select g.item_id from groundless as g)
)
insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
select %(request_id)s::uuid, 'message'::memory.erasure_kind, message_id, audience_id,
    'redact'::memory.erasure_action
from message
union all
select %(request_id)s, kind, item_id, item_audience_id, 'redact' from drawn
union all
select %(request_id)s, g.kind::memory.erasure_kind, g.item_id, g.audience_id, 'erase'
from groundless as g
where not exists (select from memory.tombstone as t where t.atom_id = g.item_id)
union all
select %(request_id)s, 'reason', r.statement_id, r.audience_id, 'erase'
from groundless as g
join memory.reason_content as r on r.statement_id = g.item_id
union all
select %(request_id)s, 'snapshot', snapshot_id, audience_id, 'erase' from packed
union all
select %(request_id)s, 'export', x.export_id, x.audience_id, 'erase'
from memory.export as x join packed using (snapshot_id)
on conflict (request_id, kind, item_id) do update set action = excluded.action
where erasure_item.action in ('hide', 'keep') or excluded.action = 'erase'
