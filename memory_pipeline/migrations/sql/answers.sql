-- From the stored statements to answers, over what the reader may see. All functions run with the
-- rights of the caller, so that row-level security decides which statements are folded.
-- Functions with a body in SQL's own form (begin atomic) are bound when they are created, whatever
-- the caller's search_path, and become part of the query that calls them: one plan, prepared with
-- it. That needs arguments without sub-selects.

create view memory.predicate_current with (security_invoker = true) as
select
    p.predicate_id, p.tenant_id, p.name, v.version, v.value_type, v.cardinality, v.tags,
    v.sensitivity, v.default_importance, v.label_ru, v.label_en
from memory.predicate as p
-- lateral, so that a query for one predicate reads one
cross join lateral (
    select * from memory.predicate_version as v
    where v.predicate_id = p.predicate_id
    order by v.version desc limit 1
) as v;
comment on view memory.predicate_current is 'predicates by their highest version';

-- All entities that are one with those given, by the joins that this reader may see. Of each pair
-- the last told statement counts. Joins apply in told order; one that would bring together a pair
-- that is said to be not the same is skipped.
create function memory.component(p_entities uuid[], p_batch_no bigint default null) returns uuid[]
language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
    v_reached uuid[];
    v_pair record;
    v_left uuid[];
    v_right uuid[];
    v_apart uuid[][];
    v_groups jsonb := '{}';
    v_from text;
    v_into text;
begin
    with recursive
    reached (entity_id) as (
        select unnest(p_entities)
        union
        select case when j.left_id = r.entity_id then j.right_id else j.left_id end
        from reached as r
        join memory.same_as as j on j.left_id = r.entity_id or j.right_id = r.entity_id
        where j.is_same and (p_batch_no is null or j.batch_id in (
            select b.batch_id from memory.batch as b where b.batch_no <= p_batch_no
        ))
    )
    select array_agg(entity_id order by entity_id) into v_reached from reached;

    if not exists (
        select from memory.same_as as j
        where not j.is_same and j.left_id = any (v_reached) and j.right_id = any (v_reached)
    ) and not exists (
        select from memory.same_as as j
        join memory.withdrawal as w on w.statement_id = j.same_as_id
        where j.left_id = any (v_reached)
    ) then
        return v_reached;
    end if;

    select jsonb_object_agg(e, e) into v_groups from unnest(v_reached) as e;
    for v_pair in
        with
        counting as (
            select distinct on (least(j.left_id, j.right_id), greatest(j.left_id, j.right_id))
                j.left_id, j.right_id, j.is_same, j.told_at, j.statement_hash
            from memory.same_as as j
            join memory.batch as b using (batch_id)
            where j.left_id = any (v_reached) and j.right_id = any (v_reached)
                and (p_batch_no is null or b.batch_no <= p_batch_no)
                and not exists (
                    select from memory.withdrawal as w
                    join memory.batch as wb on wb.batch_id = w.batch_id
                    where w.statement_id = j.same_as_id
                        and (p_batch_no is null or wb.batch_no <= p_batch_no)
                )
            order by least(j.left_id, j.right_id), greatest(j.left_id, j.right_id),
                j.told_at desc nulls last, j.statement_hash desc
        )
        select * from counting
        order by is_same, told_at nulls first, statement_hash
    loop
        if not v_pair.is_same then
            v_left := v_left || v_pair.left_id;
            v_right := v_right || v_pair.right_id;
            continue;
        end if;
        v_from := v_groups ->> v_pair.left_id::text;
        v_into := v_groups ->> v_pair.right_id::text;
        continue when v_from = v_into or exists (
            select from unnest(v_left, v_right) as apart (one, other)
            where (v_groups ->> one::text, v_groups ->> other::text)
                in ((v_from, v_into), (v_into, v_from))
        );
        select jsonb_object_agg(g.key, case when g.value = v_from then v_into else g.value end)
        into v_groups
        from jsonb_each_text(v_groups) as g;
    end loop;
    select array_agg(g.key::uuid order by g.key) into v_reached
    from jsonb_each_text(v_groups) as g
    where g.value in (select v_groups ->> e::text from unnest(p_entities) as e);
    return v_reached;
end
$$;

-- The statements about some entities, told by p_known_at and standing at batch p_batch_no (null:
-- now), as resolution reads them; an atom's row comes with it, so that nobody looks it up again.
create function memory.statements_of(
    p_subjects uuid[], p_predicate_id int, p_known_at timestamptz, p_batch_no bigint
)
returns table (
    predicate_id int, object_key bytea, statement memory.statement_row, atom memory.atom
)
language sql stable
begin atomic
    select a.predicate_id, a.object_key, row(
        a.atom_id, false, null, a.object_key, a.polarity = 'denied', a.valid_from, a.valid_to,
        a.start_inferred, a.holds_when_told, null, null, a.told_at, a.ordinal, a.message_key,
        a.span_start, a.span_end, a.statement_hash,
        case when a.is_own then greatest(a.trust, 4::smallint) else a.trust end,
        exists (select from memory.tombstone as t where t.atom_id = a.atom_id)
    )::memory.statement_row, a
    from memory.atom as a
    where a.subject_id = any (p_subjects)
        and (p_predicate_id is null or a.predicate_id = p_predicate_id)
        and (a.told_at is null or p_known_at is null or a.told_at <= p_known_at)
        and (p_batch_no is null or exists (
            select from memory.batch as b where b.batch_id = a.batch_id and b.batch_no <= p_batch_no
        ))
        and not exists (
            select from memory.withdrawal as w
            where w.statement_id = a.atom_id and (p_batch_no is null or exists (
                select from memory.batch as b
                where b.batch_id = w.batch_id and b.batch_no <= p_batch_no
            ))
        )
    union all
    select c.predicate_id, c.object_key, row(
        c.closure_id, true, c.action, c.object_key, c.polarity = 'denied', null, null, false, false,
        c.planned_start, c.ended_at, c.told_at, c.ordinal, c.message_key, c.span_start, c.span_end,
        c.statement_hash, case when c.is_own then greatest(c.trust, 4::smallint) else c.trust end,
        false
    )::memory.statement_row, null::memory.atom
    from memory.closure as c
    where c.subject_id = any (p_subjects)
        and (p_predicate_id is null or c.predicate_id = p_predicate_id)
        and (c.told_at is null or p_known_at is null or c.told_at <= p_known_at)
        and (p_batch_no is null or exists (
            select from memory.batch as b where b.batch_id = c.batch_id and b.batch_no <= p_batch_no
        ))
        and not exists (
            select from memory.withdrawal as w
            where w.statement_id = c.closure_id and (p_batch_no is null or exists (
                select from memory.batch as b
                where b.batch_id = w.batch_id and b.batch_no <= p_batch_no
            ))
        );
end;

-- The same, gathered by key: a predicate with one value is one key, one with many has a key for
-- each value, and a closure that names no value is about all of them.
create function memory.keyed_statements(
    p_subjects uuid[], p_predicate_id int, p_known_at timestamptz, p_batch_no bigint
)
returns table (
    predicate_id int, group_key bytea, statements memory.statement_row[], atoms memory.atom[]
)
language sql stable
begin atomic
    with
    said as materialized (
        select s.predicate_id, s.object_key, s.statement, s.atom, p.cardinality = 'multi' as is_multi
        from memory.statements_of(p_subjects, p_predicate_id, p_known_at, p_batch_no) as s
        join memory.predicate_current as p using (predicate_id)
    ),
    keyed as (
        select predicate_id, case when is_multi then object_key end as group_key, statement, atom
        from said
        where not is_multi or object_key is not null
        union all
        select c.predicate_id, k.object_key, c.statement, c.atom
        from said as c
        join (select distinct predicate_id, object_key from said where is_multi) as k
            on k.predicate_id = c.predicate_id and k.object_key is not null
        where c.is_multi and c.object_key is null
    )
    select k.predicate_id, k.group_key,
        array_agg(k.statement order by (k.statement).told_at nulls first),
        array_agg(k.atom)
    from keyed as k
    group by k.predicate_id, k.group_key;
end;

-- What holds when, as known at p_known_at (null: all that was told).
create function memory.timeline(
    p_subjects uuid[], p_predicate_id int, p_known_at timestamptz, p_batch_no bigint default null
)
returns table (
    predicate_id int, valid_from timestamptz, valid_to timestamptz, atom_id uuid, object_key bytea,
    supersedes uuid, supports uuid[], contradicted_by uuid[], erased boolean
)
language sql stable
begin atomic
    select k.predicate_id, g.valid_from, g.valid_to, g.atom_id, g.object_key, g.supersedes,
        g.supports, g.contradicted_by, g.erased
    from memory.keyed_statements(p_subjects, p_predicate_id, p_known_at, p_batch_no) as k
    cross join lateral unnest(memory.fold(k.statements)) as g;
end;

-- The same for every telling: periods valid x known.
create function memory.rectangles_of(
    p_subjects uuid[], p_predicate_id int default null, p_batch_no bigint default null
)
returns table (
    predicate_id int, valid_from timestamptz, valid_to timestamptz, known_from timestamptz,
    known_to timestamptz, atom_id uuid, object_key bytea, supersedes uuid, supports uuid[],
    contradicted_by uuid[], erased boolean
)
language sql stable
begin atomic
    select k.predicate_id, r.*
    from memory.keyed_statements(p_subjects, p_predicate_id, null, p_batch_no) as k
    cross join lateral memory.rectangles(k.statements) as r;
end;

create view memory.message_importance with (security_invoker = true) as
select distinct on (l.message_id)
    l.message_id, l.audience_id, l.importance, l.probability, l.author_kind, l.author
from memory.label as l
join memory.batch as b using (batch_id)
where l.message_id is not null
order by l.message_id, l.author_kind = 'human' desc, b.batch_no desc;
comment on view memory.message_importance is
    'importance of messages: the newest human label, else the newest of the rules and models';

-- Importance: a human's newest label, else CRITICAL if the message it was drawn from is, else
-- the predicate's default.
create function memory.importance_of(p_atom_id uuid, p_message_id uuid, p_default memory.importance)
returns table (importance memory.importance)
language sql stable
begin atomic
    select coalesce(
        (
            select l.importance from memory.label as l join memory.batch as b using (batch_id)
            where l.atom_id = p_atom_id and l.author_kind = 'human'
            order by b.batch_no desc limit 1
        ),
        (
            select 'CRITICAL'::memory.importance from memory.message_importance as m
            where m.message_id = p_message_id and m.importance = 'CRITICAL'
        ),
        p_default
    );
end;

-- What holds at p_valid_at, as known at p_known_at and recorded by p_batch_no (null: now).
create function memory.as_of(
    p_subjects uuid[], p_predicate_id int, p_valid_at timestamptz, p_known_at timestamptz,
    p_batch_no bigint default null
)
returns table (
    predicate text, object jsonb, text text, status text, valid_from timestamptz,
    valid_to timestamptz, valid_precision memory.valid_precision, known_from timestamptz,
    confidence real, importance memory.importance, tags text[], atom_id uuid, subject_id uuid,
    secret_id uuid, supersedes uuid, supports uuid[], contradicted_by uuid[]
)
language sql stable
begin atomic
    select
        p.name,
        c.object,
        c.text,
        case
            when t.erased then 'erased'
            when a.secret_id is not null then 'secret'
            when cardinality(t.contradicted_by) > 0 then 'contradicted'
            else 'known'
        end,
        t.valid_from,
        t.valid_to,
        a.valid_precision,
        a.told_at,
        a.confidence,
        (select i.importance
            from memory.importance_of(a.atom_id, a.message_id, p.default_importance) as i),
        p.tags,
        a.atom_id,
        a.subject_id,
        a.secret_id,
        t.supersedes,
        t.supports,
        t.contradicted_by
    from memory.keyed_statements(p_subjects, p_predicate_id, p_known_at, p_batch_no) as k
    cross join lateral unnest(memory.fold(k.statements)) as t
    join lateral unnest(k.atoms) as a on a.atom_id = t.atom_id
    join memory.predicate_current as p on p.predicate_id = k.predicate_id
    -- the array says which partitions to open before the first row is there
    left join memory.atom_content as c
        on c.atom_id = a.atom_id and c.subject_id = a.subject_id and c.subject_id = any (p_subjects)
    where (t.valid_from is null or t.valid_from <= p_valid_at)
        and (t.valid_to is null or p_valid_at < t.valid_to)
    order by p.name, t.valid_from nulls first, c.object::text, a.atom_id;
end;

grant select on memory.predicate_current, memory.message_importance
to mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser;
grant execute on all functions in schema memory
to mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser;
revoke execute on function memory.install_rules()
from mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser;
revoke execute on function memory.close_batch(uuid, int, text)
from mem_reader, mem_verifier, mem_eraser;
