-- Ids of everything that a file about these entities tells of, each once.
with
statements as (
    select atom_id as statement_id from memory.atom
    where subject_id = any (%(subjects)s) or object_entity_id = any (%(subjects)s)
    union all
    select closure_id from memory.closure where subject_id = any (%(subjects)s)
),
told as (
    select message_id, dialog_id, file_id from memory.message
    where speaker_id = any (%(subjects)s) or message_id in (
        select e.message_id from memory.evidence as e join statements using (statement_id))
)
select unnest(%(subjects)s::uuid[])
union select statement_id from statements
union select message_id from told
union select dialog_id from told
union select file_id from told
union select name_id from memory.name_content where entity_id = any (%(subjects)s)
