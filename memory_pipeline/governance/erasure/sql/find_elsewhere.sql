-- Messages, not found before, in which full text has all words of one of the phrases, each in any
-- form. Each phrase is a look-up of its own: one query of them all would be asked anew, whole, of
-- every row that has a common word of any.
insert into pg_temp.found_elsewhere (item_id)
select f.item_id
from (
    select to_tsquery('pg_catalog.russian', phrase) as query
    from unnest(%(phrases)s::text[]) as phrase
    union
    select plainto_tsquery('pg_catalog.russian', translate(value, 'ёЁ', 'еЕ'))
    from unnest(%(values)s::text[]) as value
) as q
cross join lateral (
    select t.item_id from derived.full_text as t
    where t.document @@ q.query and not t.is_atom and t.tenant_id = %(tenant_id)s
    -- keeps the look-up below the phrases
    offset 0
) as f
where numnode(q.query) > 0
on conflict do nothing
returning item_id
