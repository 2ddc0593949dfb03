-- Messages that may mention a value: by full text, and those that it does not hold yet.
select f.item_id
from derived.full_text as f
where f.document @@ (
        select to_tsquery('pg_catalog.russian', %(query)s) || coalesce((
            select string_agg(
                nullif(plainto_tsquery('pg_catalog.russian', translate(value, 'ёЁ', 'еЕ'))::text, ''),
                ' | ')::tsquery
            from unnest(%(values)s::text[]) as value), ''::tsquery))
    and not f.is_atom and f.tenant_id = %(tenant_id)s
union
select m.message_id
from memory.message as m
where m.batch_id = any (array(
    select b.batch_id from memory.batch as b
    where b.tenant_id = %(tenant_id)s and b.batch_no > coalesce((
        select s.batch_no from derived.index_state as s where s.index_name = 'full_text:message'), 0)))
