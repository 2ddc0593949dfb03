-- Reasons that humans gave for other statements about the same people.
with subjects as materialized (
    select distinct a.subject_id
    from memory.erasure_item as i
    join memory.atom as a on a.atom_id = i.item_id
    where i.request_id = %(request_id)s and i.kind = 'atom' and i.action = 'erase'
),
reasons as materialized (
    select r.statement_id, r.reason, coalesce(
        (select a.subject_id from memory.atom as a where a.atom_id = r.statement_id),
        (select c.subject_id from memory.closure as c where c.closure_id = r.statement_id)
    ) as subject_id
    from memory.reason_content as r
    where coalesce((
        select own.action <> 'erase' from memory.erasure_item as own
        where own.request_id = %(request_id)s and own.kind = 'reason'
            and own.item_id = r.statement_id), true)
)
select r.statement_id, null::jsonb, r.reason, false
from reasons as r
where (r.subject_id in (select s.subject_id from subjects as s)) is true
