-- The messages of the evidence dialogs, with the characters of erased evidence and of evidence that
-- stays. A secret that is erased is masked wherever its dialog has it. What was told after the request
-- may say the value again, unless it stops learning. What a plan says of an item is
-- asked item by item: a join with a plan that was written a moment ago may be planned as if it were
-- empty.
with whole as materialized (
    select w.message_id from memory.whole_messages(%(request_id)s) as w
),
secrets as materialized (
    select coalesce(array_agg(distinct a.secret_id), '{}') as ids
    from memory.erasure_item as i
    join memory.atom as a on a.atom_id = i.item_id
    where i.request_id = %(request_id)s and i.kind = 'atom' and i.action = 'erase'
        and a.secret_id is not null
)
select
    m.message_id, c.text, jsonb_build_array(c.attachments, c.tags),
    m.message_id in (select w.message_id from whole as w),
    not r.stops_learning and coalesce(coalesce(m.edited_at, m.sent_at) > r.told_upto, false),
    told.erased || secret.spans, told.staying
from memory.erasure_request as r
join memory.erasure_item as i on i.request_id = r.request_id
join memory.message as m on m.message_id = i.item_id
join memory.message_content as c on c.message_id = m.message_id and c.dialog_id = m.dialog_id
cross join lateral (
    select
        array_agg(array[e.span_start, e.span_end]) filter (where e.is_erased) as erased,
        array_agg(array[e.span_start, e.span_end]) filter (where not e.is_erased and not e.is_gone)
            as staying
    from (
        select v.span_start, v.span_end,
            coalesce((
                select true from memory.erasure_item as x
                where x.request_id = %(request_id)s and x.kind in ('atom', 'closure')
                    and x.item_id = v.statement_id and x.action = 'erase'), false) as is_erased,
            coalesce((
                select true from memory.withdrawal as w where w.statement_id = v.statement_id),
                (select true from memory.tombstone as t where t.atom_id = v.statement_id),
                false) as is_gone
        from memory.evidence as v
        where v.message_id = m.message_id
    ) as e
) as told
cross join lateral (
    select array_agg(array[u.span_start, u.span_end]) as spans
    from memory.secret_use as u
    where u.message_id = m.message_id and u.secret_id = any ((select s.ids from secrets as s)::uuid[])
) as secret
where i.request_id = %(request_id)s and i.kind = 'message' and coalesce((
    select true from memory.erasure_item as d
    where d.request_id = %(request_id)s and d.kind = 'dialog' and d.item_id = m.dialog_id), false)
