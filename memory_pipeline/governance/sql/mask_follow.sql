-- Packed contexts that carry what a sweep masks, and files written for a person of it.
with masked as materialized (
    select i.item_id from memory.erasure_item as i
    where i.request_id = %(request_id)s and i.kind in ('atom', 'message', 'closure', 'dialog')
)
insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
select %(request_id)s::uuid, f.kind::memory.erasure_kind, f.item_id, f.audience_id, 'erase'
from (
    select 'snapshot', s.snapshot_id, s.audience_id
    from memory.snapshot as s
    join memory.snapshot_content as c using (snapshot_id)
    where s.tenant_id = %(tenant)s and exists (
        select from memory.snapshot_item as x join masked using (item_id)
        where x.snapshot_id = s.snapshot_id)
    union all
    select 'export', x.export_id, null
    from memory.subject_export as x
    where x.tenant_id = %(tenant)s and exists (
        select from memory.subject_export_item as o join masked using (item_id)
        where o.export_id = x.export_id)
) as f (kind, item_id, audience_id)
on conflict do nothing
