-- What was drawn from messages elsewhere: it goes with the mention, if a person says so.
select 'atom', a.atom_id, jsonb_build_array(c.object, c.text)
from memory.atom as a
join memory.atom_content as c on c.atom_id = a.atom_id and c.subject_id = a.subject_id
where a.message_id = any (%(ids)s)
union all
select 'extraction', x.extraction_id, c.answer
from memory.extraction as x
join memory.extraction_content as c using (extraction_id)
where x.message_id = any (%(ids)s)
