-- Messages that full text does not hold yet.
insert into pg_temp.found_elsewhere (item_id)
select m.message_id
from memory.message as m
where m.batch_id = any (array(
    select b.batch_id from memory.batch as b
    where b.tenant_id = %(tenant_id)s and b.batch_no > coalesce((
        select s.batch_no from derived.index_state as s where s.index_name = 'full_text:message'), 0)))
on conflict do nothing
returning item_id
