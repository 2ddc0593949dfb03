-- Atoms that stay, of messages that the plan reads: object, sentence, whether they are hidden.
select a.atom_id, c.object, c.text, a.planned = 'hide'
from (
    select s.*, (
        select own.action from memory.erasure_item as own
        where own.request_id = i.request_id and own.kind = 'atom' and own.item_id = s.atom_id
    ) as planned
    from memory.erasure_item as i
    join memory.atom as s on s.message_id = i.item_id
    where i.request_id = %(request_id)s and i.kind = 'message'
) as a
join memory.atom_content as c on c.atom_id = a.atom_id and c.subject_id = a.subject_id
where a.planned is distinct from 'erase'
