-- What speakers say in some dialogs whose label is what a log calls whoever writes.
select m.dialog_id, m.speaker_id, c.text
from memory.message as m
join memory.message_content as c on c.message_id = m.message_id and c.dialog_id = m.dialog_id
where m.dialog_id = any (%(dialogs)s::uuid[]) and m.speaker_id = any (%(speakers)s::uuid[])
    and m.role = 'user' and not m.is_quoted
    and exists (
        select from memory.name_content as n
        where n.entity_id = m.speaker_id and lower(n.name) = any (%(labels)s::text[]))
