-- Messages of others that may mention a person, and that are not told of her already: those in which
-- full text has all words of one of the names, and those that it does not hold yet.
with statements as (
    select atom_id as statement_id from memory.atom
    where subject_id = any (%(subjects)s) or object_entity_id = any (%(subjects)s)
    union all
    select closure_id from memory.closure where subject_id = any (%(subjects)s)
),
near as (
    select f.item_id as message_id
    from (
        select to_tsquery('pg_catalog.russian', phrase) as query
        from unnest(%(phrases)s::text[]) as phrase
    ) as q
    join derived.full_text as f on f.document @@ q.query
    where numnode(q.query) > 0 and not f.is_atom and f.tenant_id = %(tenant_id)s
    union
    select m.message_id
    from memory.message as m
    join memory.batch as b using (batch_id)
    where m.tenant_id = %(tenant_id)s and b.batch_no > coalesce((
        select s.batch_no from derived.index_state as s where s.index_name = 'full_text:message'), 0)
)
select
    m.message_id, c.native_id, m.dialog_id, dc.native_id as dialog, m.file_id, fc.name as file,
    m.position, m.sent_at, u.names as audience, c.text
from near
join memory.message as m using (message_id)
join memory.message_content as c on c.message_id = m.message_id and c.dialog_id = m.dialog_id
join memory.audience as u on u.audience_id = m.audience_id
left join memory.dialog_content as dc on dc.dialog_id = m.dialog_id
left join memory.log_file_content as fc on fc.file_id = m.file_id
where m.speaker_id <> all (%(subjects)s)
    and m.message_id not in (
        select e.message_id from memory.evidence as e join statements using (statement_id))
    and not exists (select from memory.withdrawal as w where w.statement_id = m.message_id)
order by m.dialog_id, m.sent_at nulls first, m.position, m.message_id
