-- What a request erases: values with the types of their predicates, and names of a whole subject. Where
-- only a part of what was told goes, by place, time or statement, a value that an atom which stays still
-- says of the same subject is not erased: nothing but the tellings of it that go are.
with request as materialized (
    select r.request_id, r.scope, r.told_upto,
        jsonb_strip_nulls(r.scope) ?| array[
            'atom_id', 'atom_ids', 'dialog_id', 'file_id', 'message_id', 'told_from', 'told_to'
        ] as is_part
    from memory.erasure_request as r where r.request_id = %(request_id)s
),
erased as materialized (
    select a.subject_id, a.predicate_id, a.object_key, c.object
    from memory.erasure_item as i
    join memory.atom as a on a.atom_id = i.item_id
    join memory.atom_content as c on c.atom_id = a.atom_id and c.subject_id = a.subject_id
    where i.request_id = %(request_id)s and i.kind = 'atom' and i.action = 'erase'
        and a.secret_id is null
    union all
    select x.subject_id, x.predicate_id, x.object_key, c.object
    from memory.erasure_item as i
    join memory.closure as x on x.closure_id = i.item_id
    join memory.closure_content as c on c.closure_id = x.closure_id
    where i.request_id = %(request_id)s and i.kind = 'closure' and i.action = 'erase'
        and c.object is not null
        -- a mask, as the object of a secret's end
        and not exists (
            select from memory.atom as a
            where a.subject_id = x.subject_id and a.predicate_id = x.predicate_id
                and a.object_key = x.object_key and a.secret_id is not null)
),
person as materialized (
    select s.subject_id,
        case
            when exists (
                select from memory.same_as as j
                where j.left_id = s.subject_id or j.right_id = s.subject_id)
            then memory.component(array[s.subject_id])
            else array[s.subject_id]
        end as members
    from (select distinct e.subject_id from erased as e) as s
    where (select r.is_part from request as r)
),
staying as materialized (
    select distinct k.subject_id, a.predicate_id, a.object_key
    from (
        select distinct p.subject_id, p.members, e.predicate_id
        from person as p join erased as e on e.subject_id = p.subject_id
    ) as k
    join memory.atom as a on a.subject_id = any (k.members) and a.predicate_id = k.predicate_id
    where ((k.subject_id, a.predicate_id, a.object_key) in (
            select e.subject_id, e.predicate_id, e.object_key from erased as e)) is true
        and coalesce(a.told_at <= (select r.told_upto from request as r), true)
        and coalesce((
            select i.action <> 'erase' from memory.erasure_item as i
            where i.request_id = %(request_id)s and i.kind = 'atom' and i.item_id = a.atom_id), true)
        and not exists (select from memory.tombstone as t where t.atom_id = a.atom_id)
        and not exists (select from memory.withdrawal as w where w.statement_id = a.atom_id)
)
select e.object, p.value_type
from erased as e
join memory.predicate_current as p on p.predicate_id = e.predicate_id
where ((e.subject_id, e.predicate_id, e.object_key) in (
    select s.subject_id, s.predicate_id, s.object_key from staying as s)) is not true
union
select to_jsonb(n.name), 'name'
from request as r
join memory.erasure_item as i on i.request_id = r.request_id
join memory.name_content as n on n.name_id = i.item_id
where i.kind = 'name' and memory.is_whole_subject(r.scope)
    and n.entity_id = any (memory.scope_members(r.scope))
order by 1, 2
