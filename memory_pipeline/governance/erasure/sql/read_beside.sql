-- Short texts: (kind, id, content, action without a mention, action with one); null leaves it as is.
select 'review', r.review_id, c.item,
    case when m.action in ('redact', 'erase') then 'erase' else 'keep' end as planned,
    'erase' as on_mention
from memory.erasure_item as m
join memory.review as r on r.message_id = m.item_id
join memory.review_content as c on c.review_id = r.review_id
where m.request_id = %(request_id)s and m.kind = 'message'
union all
select 'review', r.review_id, c.item, null, 'erase'
from memory.erasure_request as q
join memory.review as r using (tenant_id)
join memory.review_content as c on c.review_id = r.review_id
where q.request_id = %(request_id)s and r.message_id is null
union all
select 'file', f.file_id, to_jsonb(f.name),
    case when not exists (
        select from memory.message as m
        where m.file_id = f.file_id and coalesce((
            select x.action <> 'erase' from memory.erasure_item as x
            where x.request_id = i.request_id and x.kind = 'message' and x.item_id = m.message_id),
            true)
    ) and exists (select from memory.message as m where m.file_id = f.file_id)
    then 'erase' end, 'erase'
from memory.erasure_item as i
join memory.log_file_content as f on f.file_id = i.item_id
where i.request_id = %(request_id)s and i.kind = 'file'
