with statements as (
    select atom_id as statement_id from memory.atom
    where subject_id = any (%(subjects)s) or object_entity_id = any (%(subjects)s)
    union all
    select closure_id from memory.closure where subject_id = any (%(subjects)s)
)
select
    m.dialog_id, dc.native_id, dc.title, m.file_id, fc.name as file, f.reader, f.first_seen_day,
    count(*) as n_messages, min(m.sent_at) as first_sent_at, max(m.sent_at) as last_sent_at
from memory.message as m
join memory.log_file as f on f.file_id = m.file_id
left join memory.log_file_content as fc on fc.file_id = m.file_id
left join memory.dialog_content as dc on dc.dialog_id = m.dialog_id
where m.speaker_id = any (%(subjects)s) or m.message_id in (
    select e.message_id from memory.evidence as e join statements using (statement_id))
group by m.dialog_id, dc.native_id, dc.title, m.file_id, fc.name, f.reader, f.first_seen_day
order by f.first_seen_day, m.dialog_id, m.file_id
