-- Packed contexts and requests for them: (kind, id, content, carries what is touched, is planned). Of
-- those that no plan names only the query is read.
with touched as materialized (
    select i.item_id from memory.erasure_item as i
    where i.request_id = %(request_id)s and i.kind in ('atom', 'message')
        and i.action in ('redact', 'erase')
),
gone as materialized (
    select i.item_id from memory.erasure_item as i
    where i.request_id = %(request_id)s and i.kind = 'dialog' and i.action = 'erase'
)
select 'snapshot', s.snapshot_id,
    case when i.item_id is null then to_jsonb(c.query) else jsonb_build_array(c.query, c.snapshot) end,
    s.dialog_id in (select g.item_id from gone as g) or exists (
        select from memory.snapshot_item as x
        where x.snapshot_id = s.snapshot_id
            and (x.item_id in (select t.item_id from touched as t)) is true),
    i.item_id is not null
from memory.erasure_request as r
join memory.snapshot as s using (tenant_id)
join memory.snapshot_content as c using (snapshot_id)
left join memory.erasure_item as i
    on i.request_id = r.request_id and i.kind = 'snapshot' and i.item_id = s.snapshot_id
where r.request_id = %(request_id)s
union all
select 'snapshot_request', s.request_id, to_jsonb(c.query),
    s.dialog_id in (select g.item_id from gone as g), i.item_id is not null
from memory.erasure_request as r
join memory.snapshot_request as s using (tenant_id)
join memory.snapshot_request_content as c on c.request_id = s.request_id
left join memory.erasure_item as i
    on i.request_id = r.request_id and i.kind = 'snapshot_request' and i.item_id = s.request_id
where r.request_id = %(request_id)s
