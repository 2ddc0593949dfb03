-- What speakers whom a request is not about say of themselves in some messages, as far as it stays: each
-- statement with its evidence. One that rests on what an erased person said, or on the very words of an
-- erased statement, is none of them.
with told as materialized (
    select s.statement_id, s.subject_id
    from (
        select distinct v.statement_id from memory.evidence as v where v.message_id = any (%(ids)s)
    ) as t
    cross join lateral (
        select a.atom_id as statement_id, a.subject_id, a.message_id, 'atom'::memory.erasure_kind as kind
        from memory.atom as a where a.atom_id = t.statement_id
        union all
        select c.closure_id, c.subject_id, c.message_id, 'closure'
        from memory.closure as c where c.closure_id = t.statement_id
    ) as s
    join memory.message as m on m.message_id = s.message_id
    where m.speaker_id = s.subject_id and m.role = 'user' and not m.is_quoted
        and s.subject_id <> all (%(people)s::uuid[])
        and coalesce((
            select i.action <> 'erase' from memory.erasure_item as i
            where i.request_id = %(request_id)s and i.kind = s.kind and i.item_id = s.statement_id),
            true)
        and not exists (select from memory.withdrawal as w where w.statement_id = s.statement_id)
        and not exists (select from memory.tombstone as d where d.atom_id = s.statement_id)
)
select t.statement_id, v.message_id, v.span_start, v.span_end, c.text, t.subject_id, w.dialog_id
from told as t
join memory.evidence as v using (statement_id)
join memory.message as w on w.message_id = v.message_id
join memory.message_content as c on c.message_id = w.message_id and c.dialog_id = w.dialog_id
where not exists (
    select
    from memory.evidence as o
    join memory.message as m on m.message_id = o.message_id
    where o.statement_id = t.statement_id
        and (
            m.speaker_id = any (%(people)s::uuid[])
            or exists (
                select from memory.evidence as e
                where e.message_id = o.message_id
                    and e.span_start < o.span_end and o.span_start < e.span_end
                    and (
                        select i.action = 'erase' from memory.erasure_item as i
                        where i.request_id = %(request_id)s and i.kind in ('atom', 'closure')
                            and i.item_id = e.statement_id)
            )
        )
)
