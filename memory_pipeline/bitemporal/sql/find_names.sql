-- Entities of a tenant that bear a name, those known up to a batch where one is given.
select distinct e.entity_id, e.kind
from memory.name_content as n
join memory.entity as e using (entity_id)
where n.lookup = %(lookup)s and n.form <> 'native' and e.tenant_id = %(tenant_id)s
    and (%(batch_no)s::bigint is null or exists (
        select from memory.batch as b
        where b.batch_id = e.batch_id and b.batch_no <= %(batch_no)s::bigint))
order by e.entity_id
