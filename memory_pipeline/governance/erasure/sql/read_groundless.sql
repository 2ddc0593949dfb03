-- Statements that stay so far, of the messages that the plan reads, some of whose evidence is masked.
select s.kind, s.id, s.object
from (
    select 'atom' as kind, a.atom_id as id, c.object
    from memory.erasure_item as i
    join memory.atom as a on a.message_id = i.item_id
    join memory.atom_content as c on c.atom_id = a.atom_id and c.subject_id = a.subject_id
    where i.request_id = %(request_id)s and i.kind = 'message' and a.secret_id is null
    union all
    select 'closure', k.closure_id, c.object
    from memory.erasure_item as i
    join memory.closure as k on k.message_id = i.item_id
    join memory.closure_content as c on c.closure_id = k.closure_id
    where i.request_id = %(request_id)s and i.kind = 'message' and c.object is not null
) as s
where coalesce((
        select i.action <> 'erase' from memory.erasure_item as i
        where i.request_id = %(request_id)s and i.kind = s.kind::memory.erasure_kind
            and i.item_id = s.id), true)
    and exists (
        select from memory.evidence as v
        join memory.erasure_span as p
            on p.message_id = v.message_id and p.span_start < v.span_end and v.span_start < p.span_end
        where v.statement_id = s.id and p.request_id = %(request_id)s)
