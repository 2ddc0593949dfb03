-- Atoms in force of each person by itself, with who said them.
select a.*, s.audience_id, s.lang, n.name as speaker
from jsonb_array_elements(%(people)s) as p (members)
cross join lateral memory.as_of(
    array(select jsonb_array_elements_text(p.members)::uuid), null, %(valid_at)s, %(known_at)s,
    %(batch_no)s
) as a
join memory.atom as s using (atom_id)
left join memory.message as m on m.message_id = s.message_id
left join lateral (
    select name from memory.name_content
    where entity_id = m.speaker_id and form = 'label'
    order by lookup limit 1
) as n on true
where a.status <> 'erased' and a.text <> ''
