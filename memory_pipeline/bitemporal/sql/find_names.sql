-- Entities of a tenant that bear a name.
select distinct e.entity_id, e.kind
from memory.name_content as n
join memory.entity as e using (entity_id)
where n.lookup = %(lookup)s and n.form <> 'native' and e.tenant_id = %(tenant_id)s
order by e.entity_id
