-- The turns of a dialog that were told by the known moment, numbered over what the reader sees.
select
    t.message_id,
    row_number() over (order by t.turn) as turn,
    t.told_at,
    t.role,
    t.lang,
    t.audience_id,
    c.text,
    n.name as speaker,
    coalesce(i.importance, 'RELEVANT') as importance,
    coalesce(i.probability, 0.5) as probability,
    c.tags
from memory.message_turn as t
join memory.message_content as c on c.message_id = t.message_id and c.dialog_id = t.dialog_id
left join lateral (
    select name from memory.name_content
    where entity_id = t.speaker_id and form = 'label'
    order by lookup limit 1
) as n on true
left join memory.message_importance as i on i.message_id = t.message_id
where t.dialog_id = %(dialog_id)s
    and (t.told_at is null or t.told_at <= %(known_at)s)
order by t.turn
