-- Resolution: what holds when, by the statements of one key. The rules are written out in
-- memory_pipeline/bitemporal/resolution.py; this file is their one definition in the database.
-- Pure functions over arrays of statements: who may see which statement, and what was recorded
-- when, is settled by whoever builds the array.

create type memory.statement_row as (
    statement_id uuid,
    is_closure boolean,
    action memory.closure_action,     -- closures only
    object_key bytea,                 -- null in a closure: whatever held there
    denied boolean,                   -- in a closure: it means denials
    valid_from timestamptz,           -- null: since ever
    valid_to timestamptz,             -- null: until further notice
    start_inferred boolean,
    holds_when_told boolean,
    planned_start timestamptz,        -- closures only
    ended_at timestamptz,             -- closures that end
    told_at timestamptz,              -- null: told before everything else
    ordinal bigint,
    message_key bytea,
    span_start integer,
    span_end integer,
    statement_hash bytea,
    trust smallint,                   -- the rank: a person's words about itself rank with a human's
    erased boolean
);

create type memory.segment as (
    valid_from timestamptz,
    valid_to timestamptz,
    atom_id uuid,
    object_key bytea,
    supersedes uuid,
    supports uuid[],
    contradicted_by uuid[],
    erased boolean
);

create function memory.in_told_order(statements memory.statement_row[])
returns memory.statement_row[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
    select array_agg(
        s order by
            coalesce(s.told_at, '-infinity'), coalesce(s.ordinal, 0), coalesce(s.message_key, ''),
            coalesce(s.span_start, 0), coalesce(s.span_end, 0), s.statement_hash
    )
    from unnest(statements) as s
$$;

comment on function memory.in_told_order is
    'The statements in told order, the total order that resolution reads them in.';

create function memory.after_taking_back(
    statements memory.statement_row[],
    out standing memory.statement_row[],
    out disputed uuid[],
    out disputed_by integer[]
)
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
-- In and out in told order. Statements taken back stay in their places with a null id, so that
-- positions (disputed_by) mean the same before and after.
declare
    c memory.statement_row;
    a memory.statement_row;
    n constant integer := cardinality(statements);
    taken boolean[] := array_fill(false, array[n]);
    since timestamptz;
    wrong integer;
    message integer;                  -- where the message of c begins
    at timestamptz;
    until timestamptz;
    is_first boolean;
begin
    standing := statements;
    disputed := '{}';
    disputed_by := '{}';

    for i in 1 .. n loop
        c := standing[i];
        continue when not c.is_closure or c.action = 'ended';
        message := i;
        while message > 1
            and standing[message - 1].told_at is not distinct from c.told_at
            and coalesce(standing[message - 1].ordinal, 0) = coalesce(c.ordinal, 0)
            and coalesce(standing[message - 1].message_key, '') = coalesce(c.message_key, '')
        loop
            message := message - 1;
        end loop;
        since := '-infinity';
        if c.action = 'cancelled' and c.planned_start is null then
            for j in 1 .. message - 1 loop
                a := standing[j];
                if not a.is_closure and a.denied = c.denied
                    and (c.object_key is null or c.object_key = a.object_key)
                    and coalesce(a.valid_from, '-infinity') > coalesce(a.told_at, '-infinity')
                then
                    since := greatest(since, a.valid_from);
                end if;
            end loop;
            since := least(since, coalesce(c.told_at, '-infinity'));
        end if;
        wrong := null;
        for j in 1 .. message - 1 loop
            a := standing[j];
            continue when a.is_closure or a.denied <> c.denied
                or c.object_key <> a.object_key
                or (c.planned_start is not null and a.valid_from is distinct from c.planned_start)
                or (
                    c.action = 'cancelled' and c.planned_start is null
                    and (
                        coalesce(a.valid_from, '-infinity') <= coalesce(a.told_at, '-infinity')
                        or a.valid_from < since
                    )
                );
            if a.trust > c.trust then
                disputed := disputed || a.statement_id;
                disputed_by := disputed_by || i;
                continue;
            end if;
            taken[j] := true;
            if wrong is null
                or coalesce(a.valid_from, '-infinity')
                    < coalesce(standing[wrong].valid_from, '-infinity')
            then
                wrong := j;
            end if;
        end loop;
        continue when c.action <> 'corrected' or wrong is null;
        for j in message .. n loop
            a := standing[j];
            exit when a.told_at is distinct from c.told_at
                or coalesce(a.ordinal, 0) <> coalesce(c.ordinal, 0)
                or coalesce(a.message_key, '') <> coalesce(c.message_key, '');
            if not a.is_closure and not a.denied and a.start_inferred and a.holds_when_told
                and a.valid_to is null and a.object_key <> standing[wrong].object_key
            then
                a.valid_from := standing[wrong].valid_from;
                a.valid_to := standing[wrong].valid_to;
                a.start_inferred := false;
                standing[j] := a;
            end if;
        end loop;
    end loop;

    for i in 1 .. n loop
        if taken[i] then
            standing[i].statement_id := null;
        end if;
    end loop;

    for i in 1 .. n loop
        c := standing[i];
        continue when c.statement_id is null or c.object_key is null;
        if c.is_closure then
            continue when c.action <> 'ended';
            at := coalesce(c.ended_at, c.told_at);
            until := 'infinity';
        else
            continue when not c.denied;
            at := coalesce(c.valid_from, '-infinity');
            until := coalesce(c.valid_to, 'infinity');
        end if;
        continue when at is null;
        is_first := true;
        for j in 1 .. i - 1 loop
            a := standing[j];
            if a.statement_id is not null and not a.is_closure and not a.denied
                and a.object_key = c.object_key
                and coalesce(a.valid_from, '-infinity') < at
            then
                is_first := false;
                exit;
            end if;
        end loop;
        for j in 1 .. i - 1 loop
            a := standing[j];
            continue when a.statement_id is null or a.is_closure or a.denied
                or a.object_key <> c.object_key
                or coalesce(a.valid_from, '-infinity') <= coalesce(a.told_at, '-infinity')
                or a.valid_from < at
                or coalesce(a.valid_to, 'infinity') > until
                or (c.planned_start is not null and a.valid_from <> c.planned_start)
                or (c.planned_start is null and not is_first and a.valid_from <> at);
            if a.trust > c.trust then
                disputed := disputed || a.statement_id;
                disputed_by := disputed_by || i;
            else
                taken[j] := true;
            end if;
        end loop;
    end loop;

    for i in 1 .. n loop
        if taken[i] then
            standing[i].statement_id := null;
        end if;
    end loop;
end
$$;

comment on function memory.after_taking_back is
    'Rules a to e of resolution: which statements stand once closures and denials took back theirs.';

create function memory.ids_in_told_order(
    statements memory.statement_row[], positions integer[], without integer
)
returns uuid[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(array_agg(statements[p].statement_id order by p), '{}')
    from (select distinct unnest(positions) as p) as chosen
    where p <> without
$$;

comment on function memory.ids_in_told_order is
    'The ids of the statements at these positions, each once, but for one position.';

create function memory.fold_any(statements memory.statement_row[])
returns memory.segment[]
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
-- Positions in the statements stand for atoms; 0 is none.
declare
    st memory.statement_row[] := statements;
    s memory.statement_row;
    told timestamptz;
    i integer;
    j integer;
    k integer;
    takes_back boolean := false;
    is_sorted boolean := true;
    prior timestamptz;
    disputed uuid[];
    disputed_by integer[];
    -- the base: pieces in order, each up to the start of the next
    b_from timestamptz[] := '{-infinity}';
    b_atom integer[] := '{0}';
    b_object bytea[] := array[null::bytea];
    b_rank integer[] := '{0}';
    b_supersedes integer[] := '{0}';
    b_restart boolean[] := '{f}';
    nb integer := 1;
    o_from timestamptz[];
    o_atom integer[];
    o_object bytea[];
    o_rank integer[];
    o_supersedes integer[];
    o_restart boolean[];
    -- stays, in told order
    y_atom integer[] := '{}';
    y_from timestamptz[] := '{}';
    y_to timestamptz[] := '{}';
    y_rank integer[] := '{}';
    y_object bytea[] := '{}';
    ny integer := 0;
    ys_stay integer[] := '{}';
    ys_by integer[] := '{}';
    -- supports of the base and contradictions: by whom, of which value, over which stretch
    p_by integer[] := '{}';
    p_object bytea[] := '{}';
    p_from timestamptz[] := '{}';
    p_to timestamptz[] := '{}';
    x_by integer[] := '{}';
    x_object bytea[] := '{}';
    x_from timestamptz[] := '{}';
    x_to timestamptz[] := '{}';
    -- the task that a statement sets: write a value on [w_from, w_to), or end one from w_from
    task text;
    w_object bytea;
    w_from timestamptz;
    w_to timestamptz;
    is_past boolean;
    is_gap boolean;                   -- a denial with an end: out of [w_from, w_to), not to a run's end
    held boolean;
    restarts boolean;
    in_run boolean;
    after timestamptz;
    piece_from timestamptz;
    piece_to timestamptz;
    f timestamptz;
    t timestamptz;
    -- composing
    edges timestamptz[];
    above integer;
    above_rank integer;
    above_object bytea;
    above_supersedes integer;
    above_supports integer[];
    above_against integer[];
    atom integer;
    object bytea;
    supersedes integer;
    supports integer[];
    against integer[];
    last_atom integer := 0;
    last_from timestamptz;
    last_to timestamptz;
    last_object bytea;
    last_supersedes integer;
    last_supports integer[];
    last_against integer[];
    result memory.segment[] := '{}';
begin
    foreach s in array st loop
        takes_back := takes_back or s.is_closure or s.denied;
        told := coalesce(s.told_at, '-infinity');
        is_sorted := is_sorted and (told > prior) is not false;
        prior := told;
    end loop;
    if not is_sorted then
        st := memory.in_told_order(st);
    end if;
    if takes_back then
        select r.standing, r.disputed, r.disputed_by into st, disputed, disputed_by
        from memory.after_taking_back(st) as r;
    end if;

    i := 0;
    foreach s in array st loop
        i := i + 1;
        continue when s.statement_id is null;
        told := coalesce(s.told_at, '-infinity');
        w_object := s.object_key;
        w_from := coalesce(s.valid_from, '-infinity');
        w_to := coalesce(s.valid_to, 'infinity');
        task := null;

        if s.is_closure or s.denied then
            ----------------------------------------------------------- rules 3 and 4, what is meant
            if s.is_closure then
                continue when s.action <> 'ended';
                w_from := coalesce(s.ended_at, s.told_at);
                w_to := 'infinity';
                continue when w_from is null;
            end if;
            is_gap := s.denied and s.valid_to is not null and not s.is_closure;
            continue when is_gap and w_from >= w_to;
            if not is_gap and (not s.is_closure or w_object is null) then
                -- the value that answers at w_from, for a closure on the stretch that ends there
                k := nb;
                while k > 0 and (b_from[k] > w_from or (s.is_closure and b_from[k] = w_from)) loop
                    k := k - 1;
                end loop;
                continue when k = 0;
                above := 0;
                above_rank := 0;
                for j in 1 .. ny loop
                    continue when y_from[j] >= y_to[j];
                    if s.is_closure then
                        continue when not (y_from[j] < w_from and w_from <= y_to[j]);
                    else
                        continue when not (y_from[j] <= w_from and w_from < y_to[j]);
                    end if;
                    if above > 0 and y_object[j] = above_object then
                        above_rank := greatest(above_rank, y_rank[j]);
                    elsif above = 0 or y_rank[j] >= above_rank then
                        above := j;
                        above_rank := y_rank[j];
                        above_object := y_object[j];
                    end if;
                end loop;
                if above > 0 and (
                    b_atom[k] = 0 or b_object[k] = above_object or b_rank[k] <= above_rank
                ) then
                    object := above_object;
                elsif b_atom[k] > 0 then
                    object := b_object[k];
                else
                    continue;
                end if;
                if s.is_closure then
                    w_object := object;
                else
                    continue when w_object <> object;
                end if;
            end if;
            task := 'end';
        else
            ------------------------------------------------------- rules 1 and 2, from when to when
            is_past := not s.holds_when_told and (
                (s.valid_to is null and s.start_inferred)
                or (s.valid_to is not null and s.valid_to is not distinct from s.told_at)
            );
            if s.valid_to is not null and not is_past then
                if w_from < w_to then
                    ny := ny + 1;
                    y_atom[ny] := i;
                    y_from[ny] := w_from;
                    y_to[ny] := w_to;
                    y_rank[ny] := s.trust;
                    y_object[ny] := w_object;
                end if;
                continue;
            end if;
            if is_past and s.start_inferred then
                w_from := '-infinity';
            end if;
            k := nb;
            while b_from[k] > w_from loop
                k := k - 1;
            end loop;
            restarts := false;
            if s.start_inferred and not is_past then
                held := b_atom[k] > 0 and b_object[k] = w_object;
                if held then
                    -- up to the end of the run
                    w_to := 'infinity';
                    for j in k + 1 .. nb loop
                        if b_restart[j] or b_atom[j] = 0 or b_object[j] <> w_object then
                            w_to := b_from[j];
                            exit;
                        end if;
                    end loop;
                    task := 'write';
                end if;
                for j in 1 .. ny loop
                    continue when y_object[j] <> w_object
                        or not (y_from[j] <= w_from and w_from < y_to[j]);
                    held := true;
                    if st[y_atom[j]].erased and not s.erased then
                        y_atom := y_atom || i;
                        y_from := y_from || w_from;
                        y_to := y_to || y_to[j];
                        y_rank := y_rank || greatest(y_rank[j], s.trust::integer);
                        y_object := y_object || w_object;
                    else
                        ys_stay := ys_stay || j;
                        ys_by := ys_by || i;
                        y_rank[j] := greatest(y_rank[j], s.trust::integer);
                    end if;
                end loop;
                ny := cardinality(y_atom);
                continue when held and task is null;
            end if;
            if task is null then
                after := w_from;
                if s.holds_when_told then
                    after := greatest(w_from, told);
                end if;
                w_to := 'infinity';
                for j in greatest(k, 1) + 1 .. nb loop
                    if b_from[j] > after and (
                        case
                            when b_atom[j] = 0 then
                                b_object[j] is not distinct from w_object
                                and (b_atom[j - 1] > 0 or b_object[j - 1] is distinct from w_object)
                            else b_restart[j] or b_atom[j - 1] = 0 or b_object[j - 1] <> b_object[j]
                        end
                    ) then
                        w_to := b_from[j];
                        exit;
                    end if;
                end loop;
                if is_past then
                    w_to := least(w_to, told);
                end if;
                continue when w_from >= w_to;
                restarts := not s.start_inferred and b_from[k] < w_from
                    and b_atom[k] > 0 and b_object[k] = w_object;
                task := 'write';
            end if;
        end if;

        if task = 'end' then
            ------------------------------------------------------------------- rule 3: end the stays
            j := 1;
            while j <= ny loop
                f := greatest(y_from[j], w_from);
                t := least(y_to[j], w_to);
                if y_object[j] = w_object and f < t and (is_gap or y_from[j] <= w_from) then
                    if y_rank[j] > s.trust then
                        x_by := x_by || i;
                        x_object := x_object || w_object;
                        x_from := x_from || f;
                        x_to := x_to || t;
                    else
                        if t < y_to[j] then
                            -- the rest of the stay after the gap, at the same place in told order
                            y_atom := y_atom[:j] || y_atom[j:];
                            y_from := y_from[:j] || t || y_from[j + 1:];
                            y_to := y_to[:j] || y_to[j:];
                            y_rank := y_rank[:j] || y_rank[j:];
                            y_object := y_object[:j] || y_object[j:];
                            ny := ny + 1;
                            for k in 1 .. cardinality(ys_stay) loop
                                if ys_stay[k] > j then
                                    ys_stay[k] := ys_stay[k] + 1;
                                elsif ys_stay[k] = j then
                                    ys_stay := ys_stay || (j + 1);
                                    ys_by := ys_by || ys_by[k];
                                end if;
                            end loop;
                            y_to[j] := f;
                            j := j + 1;
                        else
                            y_to[j] := f;
                        end if;
                    end if;
                end if;
                j := j + 1;
            end loop;
        end if;

        if task = 'write' and w_from >= b_from[nb] and w_to = 'infinity'
            and (b_atom[nb] = 0 or (b_object[nb] <> w_object and b_rank[nb] <= s.trust))
        then
            -- the usual case: the tail of the base changes, and nothing else
            k := case when w_from > b_from[nb] then nb + 1 else nb end;
            b_supersedes[k] := b_atom[nb];
            b_from[k] := w_from;
            b_atom[k] := i;
            b_object[k] := w_object;
            b_rank[k] := s.trust;
            b_restart[k] := false;
            nb := k;
            continue;
        end if;

        ------------------------------------ write or end on the base: copy its pieces, changing some
        o_from := b_from;
        o_atom := b_atom;
        o_object := b_object;
        o_rank := b_rank;
        o_supersedes := b_supersedes;
        o_restart := b_restart;
        b_from := '{}';
        b_atom := '{}';
        b_object := '{}';
        b_rank := '{}';
        b_supersedes := '{}';
        b_restart := '{}';
        in_run := true;
        k := 0;
        for j in 1 .. nb loop
            piece_from := o_from[j];
            piece_to := coalesce(o_from[j + 1], 'infinity');
            f := greatest(piece_from, w_from);
            t := least(piece_to, w_to);
            if task = 'end' and is_gap then
                in_run := o_atom[j] > 0 and o_object[j] = w_object;
            elsif task = 'end' and in_run and piece_to > w_from then
                in_run := o_atom[j] > 0 and o_object[j] = w_object
                    and (piece_from <= w_from or not o_restart[j]);
            end if;
            if f >= t or (task = 'end' and not in_run) then
                k := k + 1;
                b_from[k] := piece_from;
                b_atom[k] := o_atom[j];
                b_object[k] := o_object[j];
                b_rank[k] := o_rank[j];
                b_supersedes[k] := o_supersedes[j];
                b_restart[k] := o_restart[j];
                continue;
            end if;
            if piece_from < f then
                k := k + 1;
                b_from[k] := piece_from;
                b_atom[k] := o_atom[j];
                b_object[k] := o_object[j];
                b_rank[k] := o_rank[j];
                b_supersedes[k] := o_supersedes[j];
                b_restart[k] := o_restart[j];
            end if;
            k := k + 1;
            b_from[k] := f;
            b_atom[k] := o_atom[j];
            b_object[k] := o_object[j];
            b_rank[k] := o_rank[j];
            b_supersedes[k] := o_supersedes[j];
            b_restart[k] := o_restart[j] and piece_from = f;
            if o_atom[j] > 0 and task = 'write' and o_object[j] = w_object then
                if st[o_atom[j]].erased and not s.erased then
                    b_supersedes[k] := o_atom[j];
                    b_atom[k] := i;
                else
                    p_by := p_by || i;
                    p_object := p_object || w_object;
                    p_from := p_from || f;
                    p_to := p_to || t;
                end if;
                b_rank[k] := greatest(o_rank[j], s.trust::integer);
                b_restart[k] := b_restart[k] or (restarts and f = w_from);
            elsif o_atom[j] > 0 and o_rank[j] > s.trust then
                x_by := x_by || i;
                x_object := x_object || o_object[j];
                x_from := x_from || f;
                x_to := x_to || t;
            elsif task = 'write' then
                b_supersedes[k] := o_atom[j];
                b_atom[k] := i;
                b_object[k] := w_object;
                b_rank[k] := s.trust;
                b_restart[k] := false;
            else
                b_atom[k] := 0;
                b_supersedes[k] := 0;
                b_rank[k] := 0;
                b_restart[k] := false;
            end if;
            if t < piece_to then
                k := k + 1;
                b_from[k] := t;
                b_atom[k] := o_atom[j];
                b_object[k] := o_object[j];
                b_rank[k] := o_rank[j];
                b_supersedes[k] := o_supersedes[j];
                b_restart[k] := false;
            end if;
        end loop;
        nb := k;

        if task = 'end' and s.is_closure then
            ------------------------------------------ rule 3, last sentence: X held nowhere before
            held := false;
            for j in 1 .. nb loop
                held := held or (b_atom[j] > 0 and b_object[j] = w_object and b_from[j] < w_from);
            end loop;
            for j in 1 .. ny loop
                held := held
                    or (y_object[j] = w_object and y_from[j] < y_to[j] and y_from[j] < w_from);
            end loop;
            continue when held;
            for j in 1 .. nb loop
                continue when b_atom[j] = 0 or b_object[j] <> w_object
                    or b_from[j] <= w_from or b_from[j] > told;
                if b_rank[j] > s.trust then
                    x_by := x_by || i;
                    x_object := x_object || w_object;
                    x_from := x_from || b_from[j];
                    x_to := x_to || coalesce(b_from[j + 1], 'infinity');
                else
                    b_atom[j] := 0;
                    b_supersedes[j] := 0;
                    b_rank[j] := 0;
                    b_restart[j] := false;
                end if;
            end loop;
            for j in 1 .. ny loop
                continue when y_object[j] <> w_object or y_from[j] >= y_to[j]
                    or y_from[j] <= w_from or y_from[j] > told;
                if y_rank[j] > s.trust then
                    x_by := x_by || i;
                    x_object := x_object || w_object;
                    x_from := x_from || y_from[j];
                    x_to := x_to || y_to[j];
                else
                    y_to[j] := y_from[j];
                end if;
            end loop;
        end if;
    end loop;

    ------------------------------------------------- compose both layers, and join equal neighbours
    if ny = 0 then
        edges := b_from;
    else
        select array_agg(e.edge order by e.edge) into edges
        from (
            select unnest(b_from) as edge
            union
            select unnest(y_from)
            union
            select unnest(y_to)
        ) as e
        where e.edge < 'infinity';
    end if;

    k := 1;
    for i in 1 .. cardinality(edges) loop
        f := edges[i];
        t := coalesce(edges[i + 1], 'infinity');
        while k < nb and b_from[k + 1] <= f loop
            k := k + 1;
        end loop;
        atom := b_atom[k];
        object := b_object[k];
        supersedes := b_supersedes[k];
        supports := '{}';
        against := '{}';
        if atom > 0 then
            for j in 1 .. cardinality(p_by) loop
                if p_object[j] = object and p_from[j] < t and f < p_to[j] then
                    supports := supports || p_by[j];
                end if;
            end loop;
        end if;
        if ny > 0 then
            above := 0;
            for j in 1 .. ny loop
                continue when not (y_from[j] <= f and f < y_to[j]);
                if above > 0 and y_object[j] = above_object
                    and (st[y_atom[j]].erased or not st[above].erased)
                then
                    above_rank := greatest(above_rank, y_rank[j]);
                    above_supports := above_supports || y_atom[j];
                elsif above = 0 or y_object[j] = above_object or y_rank[j] >= above_rank then
                    above_rank := case
                        when above > 0 and y_object[j] = above_object
                            then greatest(above_rank, y_rank[j])
                        else y_rank[j]
                    end;
                    above_supersedes := above;
                    above := y_atom[j];
                    above_object := y_object[j];
                    above_supports := '{}';
                    above_against := '{}';
                else
                    above_against := above_against || y_atom[j];
                    continue;
                end if;
                for h in 1 .. cardinality(ys_stay) loop
                    if ys_stay[h] = j then
                        above_supports := above_supports || ys_by[h];
                    end if;
                end loop;
            end loop;
            if above > 0 then
                if atom > 0 and object = above_object then
                    if st[above].erased and not st[atom].erased then
                        supports := supports || above || above_supports;
                    else
                        supports := above_supports || atom || supports;
                        atom := above;
                        supersedes := above_supersedes;
                    end if;
                    against := above_against;
                elsif atom > 0 and b_rank[k] > above_rank then
                    against := array[above];
                else
                    atom := above;
                    object := above_object;
                    supersedes := above_supersedes;
                    supports := above_supports;
                    against := above_against;
                end if;
            end if;
        end if;
        if atom > 0 then
            for j in 1 .. cardinality(x_by) loop
                if x_object[j] = object and x_from[j] < t and f < x_to[j] then
                    against := against || x_by[j];
                end if;
            end loop;
            if disputed is not null then
                for j in 1 .. cardinality(disputed) loop
                    if disputed[j] = st[atom].statement_id then
                        against := against || disputed_by[j];
                    end if;
                end loop;
            end if;
        end if;

        if last_atom > 0 and atom > 0 and last_object = object
            and st[last_atom].erased = st[atom].erased
        then
            last_to := t;
            last_supersedes := case when last_supersedes > 0 then last_supersedes else supersedes end;
            last_supports := last_supports || atom || supports;
            last_against := last_against || against;
            continue;
        end if;
        if last_atom > 0 then
            result := result || row(
                nullif(last_from, '-infinity'), nullif(last_to, 'infinity'),
                st[last_atom].statement_id, st[last_atom].object_key,
                case when last_supersedes > 0 then st[last_supersedes].statement_id end,
                case
                    when last_supports = '{}' then '{}'
                    else memory.ids_in_told_order(st, last_supports, last_atom)
                end,
                case
                    when last_against = '{}' then '{}'
                    else memory.ids_in_told_order(st, last_against, 0)
                end,
                st[last_atom].erased
            )::memory.segment;
        end if;
        last_atom := atom;
        last_from := f;
        last_to := t;
        last_object := object;
        last_supersedes := supersedes;
        last_supports := supports;
        last_against := against;
    end loop;
    if last_atom > 0 then
        result := result || row(
            nullif(last_from, '-infinity'), nullif(last_to, 'infinity'),
            st[last_atom].statement_id, st[last_atom].object_key,
            case when last_supersedes > 0 then st[last_supersedes].statement_id end,
            case
                when last_supports = '{}' then '{}'
                else memory.ids_in_told_order(st, last_supports, last_atom)
            end,
            case
                when last_against = '{}' then '{}'
                else memory.ids_in_told_order(st, last_against, 0)
            end,
            st[last_atom].erased
        )::memory.segment;
    end if;
    return result;
end
$$;

comment on function memory.fold_any is
    'The fold over statements of every shape; called by memory.fold, which knows the usual one.';

create function memory.fold(statements memory.statement_row[])
returns memory.segment[]
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
-- Most keys hold a few open-ended values of one rank, each told after and starting no earlier than
-- the one before, and perhaps an end or a denial of what holds: this loop reads those alone, and
-- hands all others to memory.fold_any. It is written with few expressions, since PostgreSQL
-- prepares each of them anew in every transaction; the null statement after the last one lets the
-- loop write the last segment, too.
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
                    when s.valid_to is not null or s.erased then false
                    when s.denied then s.valid_from > latest
                    when held.statement_id is null then s.holds_when_told or not s.start_inferred
                    else
                        s.valid_from >= latest
                        and (s.holds_when_told or not s.start_inferred)
                        and (
                            s.object_key <> held.object_key
                            or case
                                when held_to is not null then s.valid_from > held_to
                                else s.start_inferred or s.valid_from = held.valid_from
                            end
                        )
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
        latest := coalesce(s.valid_from, '-infinity');
        if s.object_key = held.object_key and held_to is null then
            supports := supports || s.statement_id;
            continue;
        end if;
        if held.statement_id is not null
            and (s.statement_id is null or latest > coalesce(held.valid_from, '-infinity'))
        then
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

comment on function memory.fold is
    'What holds when, by the statements of one key (in any order): periods, first to last; "none" has none.';

create function memory.rectangles(statements memory.statement_row[])
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
    st constant memory.statement_row[] := memory.in_told_order(statements);
    n constant integer := coalesce(cardinality(st), 0);
    told timestamptz;
    line memory.segment[];
    g memory.segment;
    standing memory.segment[] := '{}';
    since timestamptz[] := '{}';
    kept memory.segment[];
    kept_since timestamptz[];
begin
    for i in 1 .. n loop
        continue when i < n and st[i + 1].told_at is not distinct from st[i].told_at;
        told := st[i].told_at;
        line := memory.fold(st[:i]);
        kept := '{}';
        kept_since := '{}';
        for j in 1 .. cardinality(standing) loop
            g := standing[j];
            if g = any (line) then
                kept := kept || g;
                kept_since := kept_since || since[j];
            else
                return query select
                    g.valid_from, g.valid_to, since[j], told, g.atom_id, g.object_key, g.supersedes,
                    g.supports, g.contradicted_by, g.erased;
            end if;
        end loop;
        foreach g in array line loop
            if not g = any (kept) then
                kept := kept || g;
                kept_since := kept_since || told;
            end if;
        end loop;
        standing := kept;
        since := kept_since;
    end loop;
    for j in 1 .. cardinality(standing) loop
        g := standing[j];
        return query select
            g.valid_from, g.valid_to, since[j], null::timestamptz, g.atom_id, g.object_key,
            g.supersedes, g.supports, g.contradicted_by, g.erased;
    end loop;
end
$$;

comment on function memory.rectangles is
    'The periods of one key as known from each telling on: valid x known, equal neighbours joined.';
