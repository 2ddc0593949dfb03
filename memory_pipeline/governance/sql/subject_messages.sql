with statements as (
    select atom_id as statement_id from memory.atom
    where subject_id = any (%(subjects)s) or object_entity_id = any (%(subjects)s)
    union all
    select closure_id from memory.closure where subject_id = any (%(subjects)s)
)
select
    m.message_id, c.native_id, m.dialog_id, m.file_id, m.position,
    case when m.speaker_id = any (%(subjects)s) then 'author' else 'evidence' end as role,
    m.role::text as speaker_role, m.sent_at, m.edited_at, m.lang, c.text, c.attachments,
    coalesce(c.tags, '{}') as tags, u.names as audience, i.importance::text as importance,
    i.author_kind::text as importance_by, i.author as importance_author,
    w.statement_id is not null as withdrawn
from memory.message as m
join memory.audience as u on u.audience_id = m.audience_id
left join memory.message_content as c on c.message_id = m.message_id and c.dialog_id = m.dialog_id
left join memory.withdrawal as w on w.statement_id = m.message_id
left join lateral (
    select l.importance, l.author_kind, l.author from memory.label as l
    join memory.batch as b using (batch_id)
    where l.message_id = m.message_id
    order by l.author_kind = 'human' desc, b.batch_no desc limit 1
) as i on true
where m.speaker_id = any (%(subjects)s) or m.message_id in (
    select e.message_id from memory.evidence as e join statements using (statement_id))
order by m.dialog_id, m.sent_at nulls first, m.position, m.message_id
