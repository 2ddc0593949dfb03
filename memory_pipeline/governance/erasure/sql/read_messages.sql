-- The messages of the evidence dialogs, with the characters of erased evidence and of evidence that
-- stays. A secret that is erased is masked wherever its dialog has it.
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
    (
        select array_agg(array[s.span_start, s.span_end])
        from (
            select e.span_start, e.span_end
            from memory.evidence as e
            where e.message_id = m.message_id and exists (
                select from memory.erasure_item as x
                where x.request_id = %(request_id)s and x.kind in ('atom', 'closure')
                    and x.item_id = e.statement_id and x.action = 'erase')
            union all
            select u.span_start, u.span_end from memory.secret_use as u
            where u.message_id = m.message_id and u.secret_id = any ((select s.ids from secrets as s)::uuid[])
        ) as s
    ),
    (
        select array_agg(array[e.span_start, e.span_end])
        from memory.evidence as e
        where e.message_id = m.message_id
            and not exists (
                select from memory.erasure_item as x
                where x.request_id = %(request_id)s and x.kind in ('atom', 'closure')
                    and x.item_id = e.statement_id and x.action = 'erase')
            and not exists (select from memory.withdrawal as w where w.statement_id = e.statement_id)
            and not exists (select from memory.tombstone as t where t.atom_id = e.statement_id)
    )
from memory.erasure_item as i
join memory.message as m on m.message_id = i.item_id
join memory.message_content as c on c.message_id = m.message_id and c.dialog_id = m.dialog_id
where i.request_id = %(request_id)s and i.kind = 'message'
    and m.dialog_id in (
        select d.item_id from memory.erasure_item as d
        where d.request_id = %(request_id)s and d.kind = 'dialog')
