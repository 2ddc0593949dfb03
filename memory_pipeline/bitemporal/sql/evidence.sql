-- Evidence of statements, with the turn of each message as this reader counts them.
select e.statement_id, coalesce(mc.native_id, e.message_id::text), dc.native_id, t.turn
from memory.evidence as e
join memory.message as m using (message_id)
join memory.message_content as mc on mc.message_id = m.message_id and mc.dialog_id = m.dialog_id
join memory.dialog_content as dc on dc.dialog_id = m.dialog_id
join lateral (
    select turn from memory.message_turn as x
    where x.dialog_id = m.dialog_id and x.message_key = m.message_key
) as t on true
where e.statement_id = any (%(ids)s)
order by e.statement_id, t.turn
