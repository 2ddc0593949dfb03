-- Items of the review lists that this login may see, oldest first, with where they were said.
select
    r.review_id, r.kind, r.state::text as state, b.recorded_at, c.item,
    dc.native_id as dialog_id, t.turn, n.name as speaker, mc.text,
    i.importance::text as importance, i.probability
from memory.review as r
join memory.batch as b using (batch_id)
left join memory.review_content as c using (review_id)
left join memory.message as m on m.message_id = r.message_id
left join memory.message_content as mc
    on mc.message_id = m.message_id and mc.dialog_id = m.dialog_id
left join memory.dialog_content as dc on dc.dialog_id = m.dialog_id
left join memory.message_importance as i
    on i.message_id = r.message_id and r.kind = 'borderline_importance'
left join lateral (
    select turn from memory.message_turn as x
    where x.dialog_id = m.dialog_id and x.message_key = m.message_key
) as t on true
left join lateral (
    select name from memory.name_content
    where entity_id = m.speaker_id and form = 'label' order by lookup limit 1
) as n on true
where r.tenant_id = %(tenant_id)s
    and (%(kind)s::text is null or r.kind = %(kind)s)
    and (%(review_id)s::uuid is null or r.review_id = %(review_id)s)
    and (%(state)s::text is null or r.state::text = %(state)s)
order by b.batch_no, r.review_id
limit %(limit)s
