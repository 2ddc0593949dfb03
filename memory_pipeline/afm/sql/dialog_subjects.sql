-- Whom a dialog is about: each person or thing among its speakers and those it mentions once, with
-- all entities that are one with it.
select distinct array(
    select c from unnest(memory.component(array[e.entity_id], %(batch_no)s::bigint)) as c order by c
) as members
from memory.entity as e
where e.dialog_id = %(dialog_id)s
