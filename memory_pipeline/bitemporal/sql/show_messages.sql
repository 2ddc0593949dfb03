select
    m.message_id, mc.native_id, dc.native_id as dialog_id, t.turn, m.sent_at, m.role,
    n.name as speaker, e.span_start, e.span_end,
    mc.text,
    fc.name as file, m.position
from memory.evidence as e
join memory.message as m using (message_id)
join memory.message_content as mc on mc.message_id = m.message_id and mc.dialog_id = m.dialog_id
join memory.dialog_content as dc on dc.dialog_id = m.dialog_id
left join memory.log_file_content as fc on fc.file_id = m.file_id
left join lateral (
    select turn from memory.message_turn as x
    where x.dialog_id = m.dialog_id and x.message_key = m.message_key
) as t on true
left join lateral (
    select name from memory.name_content
    where entity_id = m.speaker_id and form = 'label' order by lookup limit 1
) as n on true
where e.statement_id = %(atom_id)s
order by t.turn, e.span_start
