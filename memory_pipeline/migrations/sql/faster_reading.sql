-- Reading faster, with the same answers: what is asked of every table asks less, and what is asked
-- of one key finds it by index.

-- Atoms that a later restriction takes from this reader; of what it never could read it says nothing.
create function memory.restricted_atoms() returns uuid[]
language sql stable security definer parallel safe set search_path = pg_catalog, pg_temp
as $$
    select coalesce(array_agg(distinct r.atom_id), '{}')
    from memory.restriction as r
    join memory.atom as a using (atom_id)
    where r.tenant_id = any ((select memory.readable_tenants())::int[])
        and r.audience_id <> all ((select memory.readable())::int[])
        and a.audience_id = any ((select memory.readable())::int[])
$$;

-- The same as most policies ask it: where nothing is restricted, it costs one look.
create or replace function memory.hidden_atoms() returns uuid[]
language sql stable security definer parallel safe set search_path = pg_catalog, pg_temp
as $$
    select case
        when exists (
            select from memory.restriction
            where tenant_id = any ((select memory.readable_tenants())::int[])
        ) then memory.restricted_atoms()
        else '{}'
    end
$$;

-- The statements about some entities, told by p_known_at and standing at batch p_batch_no (null:
-- now), as resolution reads them; an atom's row comes with it, so that nobody looks it up again.
-- A predicate is asked for as a range of ids, which an index takes also where none is given.
create or replace function memory.statements_of(
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
        and a.predicate_id >= case when p_predicate_id is null then 0 else p_predicate_id end
        and a.predicate_id <= case when p_predicate_id is null then 2147483647 else p_predicate_id end
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
        and c.predicate_id >= case when p_predicate_id is null then 0 else p_predicate_id end
        and c.predicate_id <= case when p_predicate_id is null then 2147483647 else p_predicate_id end
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

-- Few messages are CRITICAL, and every answer asks whether its own is.
create index on memory.label (message_id) where importance = 'CRITICAL';

-- Importance where there are labels: a human's newest, else CRITICAL if the message it was drawn
-- from is, else the predicate's default.
create function memory.labelled_importance(
    p_atom_id uuid, p_message_id uuid, p_default memory.importance
) returns memory.importance
language sql stable set search_path = pg_catalog, pg_temp
as $$
    select coalesce(
        (
            select l.importance from memory.label as l join memory.batch as b using (batch_id)
            where l.atom_id = p_atom_id and l.author_kind = 'human'
            order by b.batch_no desc limit 1
        ),
        (
            select m.importance from memory.message_importance as m
            where m.message_id = p_message_id and m.importance = 'CRITICAL'
        ),
        p_default
    )
$$;

-- Importance of an atom. Few atoms and messages have labels that change it: only for those are
-- labels weighed against each other, by a function that does not become part of the query.
create or replace function memory.importance_of(
    p_atom_id uuid, p_message_id uuid, p_default memory.importance
)
returns table (importance memory.importance)
language sql stable
begin atomic
    select case
        when exists (
            select from memory.label as l where l.atom_id = p_atom_id and l.author_kind = 'human'
        ) or exists (
            select from memory.label as l
            where l.message_id = p_message_id and l.importance = 'CRITICAL'
        )
        then memory.labelled_importance(p_atom_id, p_message_id, p_default)
        else p_default
    end;
end;

-- Statements gathered by key: a predicate with one value is one key, one with many has a key for
-- each value, and a closure that names no value is about all of them. With each key come the
-- columns of its predicate, looked up once for all statements of it.
create function memory.keys_of(
    p_subjects uuid[], p_predicate_id int, p_known_at timestamptz, p_batch_no bigint
)
returns table (
    predicate_id int, group_key bytea, statements memory.statement_row[], atoms memory.atom[],
    name text, tags text[], default_importance memory.importance
)
language sql stable
begin atomic
    with
    said as materialized (
        select * from memory.statements_of(p_subjects, p_predicate_id, p_known_at, p_batch_no)
    ),
    predicates as materialized (
        select p.predicate_id, p.name, p.tags, p.default_importance,
            p.cardinality = 'multi' as is_multi
        from (select distinct predicate_id from said) as s
        join memory.predicate_current as p using (predicate_id)
    ),
    keyed as (
        select s.predicate_id, case when p.is_multi then s.object_key end as group_key, s.statement,
            s.atom
        from said as s
        join predicates as p using (predicate_id)
        where not p.is_multi or s.object_key is not null
        union all
        select c.predicate_id, k.object_key, c.statement, c.atom
        from said as c
        join predicates as p on p.predicate_id = c.predicate_id and p.is_multi
        join (select distinct predicate_id, object_key from said) as k
            on k.predicate_id = c.predicate_id and k.object_key is not null
        where c.object_key is null
    ),
    gathered as (
        select k.predicate_id, k.group_key,
            array_agg(k.statement order by (k.statement).told_at nulls first) as statements,
            array_agg(k.atom) as atoms
        from keyed as k
        group by k.predicate_id, k.group_key
    )
    select g.predicate_id, g.group_key, g.statements, g.atoms, p.name, p.tags,
        p.default_importance
    from gathered as g
    join predicates as p using (predicate_id);
end;

create or replace function memory.keyed_statements(
    p_subjects uuid[], p_predicate_id int, p_known_at timestamptz, p_batch_no bigint
)
returns table (
    predicate_id int, group_key bytea, statements memory.statement_row[], atoms memory.atom[]
)
language sql stable
begin atomic
    select k.predicate_id, k.group_key, k.statements, k.atoms
    from memory.keys_of(p_subjects, p_predicate_id, p_known_at, p_batch_no) as k;
end;

create or replace function memory.fold(statements memory.statement_row[])
returns memory.segment[]
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
-- Most keys hold a few open-ended values of one rank, each told after and starting after the one
-- before, restatements, perhaps an end or a denial of what holds, and perhaps, told last, a stay
-- during what holds: this loop reads those alone, and hands all others to memory.fold_any. It is
-- written with few expressions, since PostgreSQL prepares each of them anew in every transaction;
-- the null statement after the last one lets the loop write the last segment, too.
declare
    s memory.statement_row;
    held memory.statement_row;
    held_to timestamptz;
    supersedes uuid;
    supports uuid[] := '{}';
    latest timestamptz;               -- what starts or ends before it changes more than the tail
    prior timestamptz;
    result memory.segment[] := '{}';
begin
    for i in 1 .. coalesce(cardinality(statements), 0) + 1 loop
        s := statements[i];
        if (
            s.statement_id is null
            or (
                (held.statement_id is null or (s.told_at > prior and s.trust = held.trust))
                and case
                    when s.is_closure then
                        s.action = 'ended' and coalesce(s.ended_at, s.told_at) > latest
                    when s.erased then false
                    when s.valid_to is not null then
                        i = cardinality(statements) and not s.denied and held_to is null
                        and s.valid_from >= latest and s.valid_from < s.valid_to
                        and s.object_key <> held.object_key
                        and (s.holds_when_told or s.valid_to is distinct from s.told_at)
                    when s.denied then s.valid_from > latest
                    when held.statement_id is null then s.holds_when_told or not s.start_inferred
                    else
                        s.valid_from >= latest
                        and (s.holds_when_told or not s.start_inferred)
                        and case
                            when s.object_key <> held.object_key then
                                s.valid_from > latest or held_to is not null
                            when held_to is not null then s.valid_from > held_to
                            else s.start_inferred or s.valid_from = held.valid_from
                        end
                end
            )
        ) is not true then
            return memory.fold_any(statements);
        end if;
        prior := s.told_at;
        if s.is_closure or s.denied then
            if held_to is null and (s.object_key is null or s.object_key = held.object_key) then
                held_to := case when s.denied and not s.is_closure then s.valid_from
                    else coalesce(s.ended_at, s.told_at) end;
                latest := held_to;
            end if;
            continue;
        end if;
        if s.valid_to is not null then
            -- what holds shows before the stay, and again after it
            if s.valid_from is distinct from held.valid_from then
                result := result || row(
                    held.valid_from, s.valid_from, held.statement_id, held.object_key, supersedes,
                    supports, '{}', false
                )::memory.segment;
            end if;
            result := result || row(
                s.valid_from, s.valid_to, s.statement_id, s.object_key, null, '{}', '{}', false
            )::memory.segment;
            held.valid_from := s.valid_to;
            continue;
        end if;
        latest := coalesce(s.valid_from, '-infinity');
        if s.object_key = held.object_key and held_to is null then
            supports := supports || s.statement_id;
            continue;
        end if;
        if held.statement_id is not null then
            result := result || row(
                held.valid_from, coalesce(held_to, s.valid_from), held.statement_id,
                held.object_key, supersedes, supports, '{}', false
            )::memory.segment;
        end if;
        supersedes := case when held_to is null then held.statement_id end;
        supports := '{}';
        held := s;
        held_to := null;
    end loop;
    return result;
end
$$;

-- memory.fold for one key, which becomes part of the query that calls it: most keys have one
-- statement, and what holds by that is seen without a loop.
create function memory.fold_key(statements memory.statement_row[]) returns memory.segment[]
language sql immutable parallel safe
begin atomic
    select case
        when cardinality(statements) = 1
            and not (statements[1]).is_closure
            and not (statements[1]).denied
            and not (statements[1]).erased
            and case
                when (statements[1]).valid_to is null
                    then (statements[1]).holds_when_told or not (statements[1]).start_inferred
                else ((statements[1]).valid_from < (statements[1]).valid_to) is not false
                    and (
                        (statements[1]).holds_when_told
                        or (statements[1]).valid_to is distinct from (statements[1]).told_at
                    )
            end
        then array[row(
            (statements[1]).valid_from, (statements[1]).valid_to, (statements[1]).statement_id,
            (statements[1]).object_key, null, '{}', '{}', false
        )::memory.segment]
        else memory.fold(statements)
    end;
end;

comment on function memory.fold_key is 'memory.fold, without its loop where one statement decides';

create or replace function memory.timeline(
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
    cross join lateral unnest(memory.fold_key(k.statements)) as g;
end;

-- As before, but a row is handed out without a query of its own, and statements that come in told
-- order are not sorted again.
create or replace function memory.rectangles(statements memory.statement_row[])
returns table (
    valid_from timestamptz,
    valid_to timestamptz,
    known_from timestamptz,
    known_to timestamptz,
    atom_id uuid,
    object_key bytea,
    supersedes uuid,
    supports uuid[],
    contradicted_by uuid[],
    erased boolean
)
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
    st memory.statement_row[] := statements;
    n constant integer := coalesce(cardinality(st), 0);
    told timestamptz;
    prefix memory.statement_row[];
    line memory.segment[];
    nl integer;
    standing memory.segment[] := '{}';  -- the line before, and since when each segment is known
    since timestamptz[] := '{}';
    ns integer := 0;
    since_now timestamptz[];
    same_first integer;
    same_last integer;
    g memory.segment;
begin
    for i in 2 .. n loop
        if (st[i].told_at > st[i - 1].told_at) is not true then
            st := memory.in_told_order(st);
            exit;
        end if;
    end loop;
    for i in 1 .. n loop
        continue when i < n and st[i + 1].told_at is not distinct from st[i].told_at;
        told := st[i].told_at;
        prefix := st[:i];
        line := memory.fold_key(prefix);
        nl := cardinality(line);
        -- a telling changes a few neighbours: compare from both sides up to them
        same_first := 0;
        while same_first < least(ns, nl) and standing[same_first + 1] = line[same_first + 1] loop
            same_first := same_first + 1;
        end loop;
        same_last := 0;
        while same_last < least(ns, nl) - same_first
            and standing[ns - same_last] = line[nl - same_last]
        loop
            same_last := same_last + 1;
        end loop;
        since_now := since[:same_first];
        for j in same_first + 1 .. nl - same_last loop
            since_now[j] := told;
            for k in same_first + 1 .. ns - same_last loop
                if standing[k] = line[j] then
                    since_now[j] := since[k];
                end if;
            end loop;
        end loop;
        for k in same_first + 1 .. ns - same_last loop
            g := standing[k];
            continue when g = any (line[same_first + 1:nl - same_last]);
            valid_from := g.valid_from;
            valid_to := g.valid_to;
            known_from := since[k];
            known_to := told;
            atom_id := g.atom_id;
            object_key := g.object_key;
            supersedes := g.supersedes;
            supports := g.supports;
            contradicted_by := g.contradicted_by;
            erased := g.erased;
            return next;
        end loop;
        since := since_now || since[ns - same_last + 1:];
        standing := line;
        ns := nl;
    end loop;
    known_to := null;
    for k in 1 .. ns loop
        g := standing[k];
        valid_from := g.valid_from;
        valid_to := g.valid_to;
        known_from := since[k];
        atom_id := g.atom_id;
        object_key := g.object_key;
        supersedes := g.supersedes;
        supports := g.supports;
        contradicted_by := g.contradicted_by;
        erased := g.erased;
        return next;
    end loop;
end
$$;

-- What holds at p_valid_at, as known at p_known_at and recorded by p_batch_no (null: now).
create or replace function memory.as_of(
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
        k.name,
        c.object,
        c.text,
        case
            -- fenced content is not to be seen, and what it replaced must not reopen
            when t.erased or c.atom_id is null then 'erased'
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
            from memory.importance_of(a.atom_id, a.message_id, k.default_importance) as i),
        k.tags,
        a.atom_id,
        a.subject_id,
        a.secret_id,
        t.supersedes,
        t.supports,
        t.contradicted_by
    from memory.keys_of(p_subjects, p_predicate_id, p_known_at, p_batch_no) as k
    cross join lateral unnest(memory.fold_key(k.statements)) as t
    join lateral unnest(k.atoms) as a on a.atom_id = t.atom_id
    -- the array says which partitions to open before the first row is there
    left join memory.atom_content as c
        on c.atom_id = a.atom_id and c.subject_id = a.subject_id and c.subject_id = any (p_subjects)
    where (t.valid_from is null or t.valid_from <= p_valid_at)
        and (t.valid_to is null or p_valid_at < t.valid_to)
    order by k.name, t.valid_from nulls first, c.object::text, a.atom_id;
end;

grant execute on function memory.fold_key(memory.statement_row[])
to mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser;

revoke execute on function memory.restricted_atoms() from public;
revoke execute on function
    memory.labelled_importance(uuid, uuid, memory.importance),
    memory.keys_of(uuid[], int, timestamptz, bigint),
    memory.fold_key(memory.statement_row[])
from public;
grant execute on function
    memory.labelled_importance(uuid, uuid, memory.importance),
    memory.keys_of(uuid[], int, timestamptz, bigint),
    memory.fold_key(memory.statement_row[])
to mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser;
