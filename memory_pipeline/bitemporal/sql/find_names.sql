-- Entities of a tenant that bear a name, each with the smallest member of its component.
select e.entity_id, e.kind, members.ids
from memory.name_content as n
join memory.entity as e using (entity_id)
cross join lateral (select memory.component(array[e.entity_id], %(batch_no)s::bigint) as ids) as members
where n.lookup = %(lookup)s and n.form <> 'native' and e.tenant_id = %(tenant_id)s
order by e.entity_id
