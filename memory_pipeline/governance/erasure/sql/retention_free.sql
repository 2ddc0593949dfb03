-- Those of the atoms that are there, in no request under way, and under no legal hold.
with
holds as (
    select h.entity_id
    from (
        select distinct on (entity_id) entity_id, is_held
        from memory.legal_hold
        where tenant_id = %(tenant_id)s
        order by entity_id, set_at desc, hold_id
    ) as h
    where h.is_held
),
held as (
    select unnest(memory.component(array[entity_id])) as entity_id
    from holds where entity_id is not null
)
select a.atom_id
from memory.atom as a
where a.atom_id = any (%(ids)s)
    and not exists (select from holds where entity_id is null)
    and a.subject_id not in (select entity_id from held)
    and not exists (select from memory.tombstone as t where t.atom_id = a.atom_id)
    and not exists (
        select from memory.erasure_item as i
        join memory.erasure_request as r using (request_id)
        where i.item_id = a.atom_id and i.kind = 'atom' and i.action = 'erase'
            and r.state < 'certified')
order by a.atom_id
