-- What search results are, under the reader's rights: atoms that hold at the asked moment, and
-- messages told by then.
with
atoms as (
    select a.atom_id, a.subject_id, a.predicate_id
    from memory.atom as a
    where a.atom_id = any (%(ids)s)
),
subjects as (
    select subject_id, memory.component(array[subject_id]) as members
    from (select distinct subject_id from atoms) as s
)
select
    a.atom_id as item_id, a.atom_id as shown_id, 'atom' as kind, held.text, null as dialog_id,
    null::bigint as turn, held.predicate, n.name as subject, held.status, held.valid_from,
    held.valid_to
from atoms as a
join subjects as s using (subject_id)
join lateral (
    select * from memory.as_of(s.members, a.predicate_id, %(valid_at)s, %(known_at)s) as x
    where (x.atom_id = a.atom_id or a.atom_id = any (x.supports)) and x.text is not null
    limit 1
) as held on true
left join lateral (
    select name from memory.name_content as n
    where n.entity_id = any (s.members) and n.form <> 'native'
    group by name order by count(*) desc, name limit 1
) as n on true
union all
select
    m.message_id, m.message_id, 'message', c.text, dc.native_id, t.turn, null, n.name, null, null,
    null
from memory.message as m
join memory.message_content as c on c.message_id = m.message_id and c.dialog_id = m.dialog_id
join memory.dialog_content as dc on dc.dialog_id = m.dialog_id
join lateral (
    select x.turn, x.told_at from memory.message_turn as x
    where x.dialog_id = m.dialog_id and x.message_id = m.message_id
) as t on t.told_at is null or t.told_at <= %(known_at)s
left join lateral (
    select name from memory.name_content
    where entity_id = m.speaker_id and form = 'label' order by lookup limit 1
) as n on true
where m.message_id = any (%(ids)s)
