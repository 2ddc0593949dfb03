-- Atoms that stay, of messages that the plan reads: object, sentence, whether they are hidden.
select a.atom_id, c.object, c.text, own.action = 'hide'
from memory.erasure_item as i
join memory.atom as a on a.message_id = i.item_id
join memory.atom_content as c on c.atom_id = a.atom_id and c.subject_id = a.subject_id
left join memory.erasure_item as own
    on own.request_id = i.request_id and own.kind = 'atom' and own.item_id = a.atom_id
where i.request_id = %(request_id)s and i.kind = 'message' and own.action is distinct from 'erase'
