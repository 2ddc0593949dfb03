select s.type, count(distinct s.secret_id) as n_values, count(*) as n_uses
from memory.secret_use as u
join memory.secret as s using (secret_id)
join memory.message as m using (message_id)
where m.speaker_id = any (%(subjects)s) or s.secret_id in (
    select a.secret_id from memory.atom as a
    where a.subject_id = any (%(subjects)s) or a.object_entity_id = any (%(subjects)s))
group by s.type
order by s.type
