-- Evidence of statements, with the turn of each message as this reader counts them. Turns are
-- counted once a dialog: hence the array, which the view can be narrowed by before it counts.
with
quoted as (
    select e.statement_id, m.message_id, m.message_key, m.dialog_id
    from memory.evidence as e
    join memory.message as m using (message_id)
    where e.statement_id = any (%(ids)s)
),
turns as materialized (
    select t.dialog_id, t.message_key, t.turn
    from memory.message_turn as t
    where t.dialog_id = any (array(select distinct dialog_id from quoted))
)
select q.statement_id, coalesce(mc.native_id, q.message_id::text), dc.native_id, t.turn
from quoted as q
join memory.message_content as mc on mc.message_id = q.message_id and mc.dialog_id = q.dialog_id
join memory.dialog_content as dc on dc.dialog_id = q.dialog_id
join turns as t on t.dialog_id = q.dialog_id and t.message_key = q.message_key
order by q.statement_id, t.turn
