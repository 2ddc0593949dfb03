-- Reasons that humans gave for other statements about the same people.
with subjects as materialized (
    select distinct a.subject_id
    from memory.erasure_item as i
    join memory.atom as a on a.atom_id = i.item_id
    where i.request_id = %(request_id)s and i.kind = 'atom' and i.action = 'erase'
)
select r.statement_id, null::jsonb, r.reason, false
from memory.reason_content as r
join (
    select atom_id as statement_id, subject_id from memory.atom
    union all
    select closure_id, subject_id from memory.closure
) as s using (statement_id)
join subjects using (subject_id)
where not exists (
    select from memory.erasure_item as own
    where own.request_id = %(request_id)s and own.kind = 'reason' and own.item_id = r.statement_id
        and own.action = 'erase')
