-- Refused records of the tenant with what was kept of them: (id, raw, planned, goes whatever it holds);
-- of an archive that was refused whole nothing was.
-- A record of a message or file that is the plan's own goes; of others only their words can tell.
select q.quarantine_id, c.raw, coalesce(i.action = 'erase', false),
    coalesce((r.scope ->> 'whole_tenant')::boolean, false)
    or coalesce(q.file_id = (r.scope ->> 'file_id')::uuid, false)
    or q.message_id in (select e.message_id from memory.evidence_messages(r.request_id) as e)
from memory.erasure_request as r
join memory.quarantine as q using (tenant_id)
join memory.quarantine_content as c using (quarantine_id)
left join memory.erasure_item as i
    on i.request_id = r.request_id and i.kind = 'quarantine' and i.item_id = q.quarantine_id
where r.request_id = %(request_id)s
    and (i.item_id is not null or r.scope ->> 'entity_id' is not null and length(c.raw) > 0)
