insert into memory.name_content (name_id, entity_id, form, name, lookup)
select gen_random_uuid(), entity_id, form, name, lookup
from (
    select distinct on (e.entity_id, n.form, n.lookup) e.entity_id, n.form, n.name, n.lookup
    from stage_message as s
    join memory.entity as e on e.tenant_id = %(tenant_id)s and e.entity_key = s.speaker_key
    cross join lateral (
        values ('label'::memory.name_form, s.speaker, s.speaker_lookup),
            ('native'::memory.name_form, s.speaker_native, s.native_lookup),
            ('alias'::memory.name_form, s.speaker_alias, s.alias_lookup)
    ) as n (form, name, lookup)
    where n.name is not null
    order by e.entity_id, n.form, n.lookup, s.position
) as names
on conflict (entity_id, form, lookup) do nothing
