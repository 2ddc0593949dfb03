select n.name, n.form::text as form, array_agg(distinct e.dialog_id) as dialog_ids
from memory.name_content as n
join memory.entity as e using (entity_id)
where n.entity_id = any (%(subjects)s)
group by n.name, n.form
order by n.name, n.form
