insert into memory.entity (entity_id, tenant_id, batch_id, kind, dialog_id, entity_key)
select distinct on (entity_key) entity_id, %(tenant_id)s, %(batch_id)s, 'speaker', dialog_id, entity_key
from (
    select s.position, s.new_speaker_id as entity_id, d.dialog_id, s.speaker_key as entity_key
    from stage_message as s
    join memory.dialog as d on d.tenant_id = %(tenant_id)s and d.dialog_key = s.dialog_key
    union all
    select s.position, s.new_person_id, null, s.person_key
    from stage_message as s
) as candidates
order by entity_key, position
on conflict (tenant_id, entity_key) do nothing
