-- Contexts that were packed with something of these entities, and the files written out.
with told as (
    select m.message_id as item_id from memory.message as m where m.speaker_id = any (%(subjects)s)
    union
    select a.atom_id from memory.atom as a
    where a.subject_id = any (%(subjects)s) or a.object_entity_id = any (%(subjects)s)
    union
    select e.message_id from memory.evidence as e
    join memory.atom as a on a.atom_id = e.statement_id
    where a.subject_id = any (%(subjects)s) or a.object_entity_id = any (%(subjects)s)
)
select 'context' as kind, s.snapshot_id as id, s.login, b.recorded_at as at, null as path
from memory.snapshot as s
join memory.batch as b using (batch_id)
where exists (
    select from memory.snapshot_item as i join told using (item_id)
    where i.snapshot_id = s.snapshot_id)
union all
select 'file', x.export_id, x.login, b.recorded_at, c.path
from memory.export as x
join memory.batch as b using (batch_id)
left join memory.export_content as c using (export_id)
where exists (
    select from memory.snapshot_item as i join told using (item_id)
    where i.snapshot_id = x.snapshot_id)
union all
select 'file for the person', x.export_id, x.login, b.recorded_at, c.path
from memory.subject_export as x
join memory.batch as b using (batch_id)
left join memory.subject_export_content as c using (export_id)
where exists (
    select from memory.subject_export_item as i
    where i.export_id = x.export_id and i.item_id = any (%(subjects)s))
    and c.path not like '%%.part'
order by 4, 1, 2, 5
