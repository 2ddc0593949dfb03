-- A past value told without its dates ("I used to live in York") takes no stretch from a value that
-- was stated for it: rule 1 of memory_pipeline/bitemporal/resolution.py. The functions are those of
-- before with that rule.

create or replace function memory.after_taking_back(
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
    w memory.statement_row;
    is_undated boolean;               -- what is corrected is a past value told without its dates
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
        w := standing[wrong];
        is_undated := not w.denied and not w.holds_when_told and case
            when w.valid_to is null then w.start_inferred
            when w.told_at is null or w.valid_to > w.told_at then false
            else w.start_inferred
                or (w.valid_from is null and w.told_at - w.valid_to < interval '24:00')
        end;
        for j in message .. n loop
            a := standing[j];
            exit when a.told_at is distinct from c.told_at
                or coalesce(a.ordinal, 0) <> coalesce(c.ordinal, 0)
                or coalesce(a.message_key, '') <> coalesce(c.message_key, '');
            if not a.is_closure and not a.denied and a.start_inferred and a.holds_when_told
                and a.valid_to is null and a.object_key <> w.object_key
            then
                a.valid_from := w.valid_from;
                a.valid_to := w.valid_to;
                a.start_inferred := false;
                if is_undated then
                    a.valid_from := null;
                    a.valid_to := coalesce(w.valid_to, w.told_at);
                    a.start_inferred := true;
                    a.holds_when_told := false;
                end if;
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

create or replace function memory.fold_any(statements memory.statement_row[])
returns memory.segment[]
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
    st memory.statement_row[] := statements;
    s memory.statement_row;
    n constant integer := cardinality(statements);
    prior timestamptz;
    told timestamptz;
    k integer;
    takes_back boolean := false;
    is_sorted boolean := true;
    back record;
    -- the line: base (nb pieces), and stays in told order (ny)
    b memory.stretch[] := array[row('-infinity', 0, null, 0, 0, false, '{}', '{}')::memory.stretch];
    nb integer := 1;
    o memory.stretch[];
    piece memory.stretch;
    y memory.stay[];
    stay memory.stay;
    ny integer := 0;
    ends_before integer;
    -- what a statement asks for: a value written on [w_from, w_to), or taken out there
    is_end boolean;
    is_gap boolean;                   -- a denial with an end: not to the end of a run, but to w_to
    w_object bytea;
    w_from timestamptz;
    w_to timestamptz;
    is_past boolean;                  -- its start is told, its end is the telling
    is_undated boolean;               -- a past value told without its dates
    is_again boolean;                 -- and known before: one more support
    held boolean;
    restarts boolean;
    in_run boolean;
    after timestamptz;
    piece_to timestamptz;
    f timestamptz;
    t timestamptz;
    -- composing: what answers on [f, t), and the segment it may belong to
    above memory.stay;
    above_supersedes integer;
    over integer;
    again integer;
    atom integer;
    object bytea;
    supersedes integer;
    supports integer[];
    contradicts integer[];
    last_atom integer := 0;
    last_from timestamptz;
    last_to timestamptz;
    last_object bytea;
    last_supersedes integer;
    last_supports integer[];
    last_contradicts integer[];
    supporting uuid[];
    contradicting uuid[];
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
        back := memory.after_taking_back(st);
        st := back.standing;
    end if;

    for i in 1 .. n loop
        s := st[i];
        continue when s.statement_id is null;
        told := coalesce(s.told_at, '-infinity');
        w_object := s.object_key;
        w_from := coalesce(s.valid_from, '-infinity');
        w_to := coalesce(s.valid_to, 'infinity');
        is_end := s.is_closure or s.denied;
        restarts := false;
        is_again := false;

        if is_end then
            ----------------------------------------------------------- rules 3 and 4, what is meant
            if s.is_closure then
                w_from := coalesce(s.ended_at, s.told_at);
                w_to := 'infinity';
                continue when s.action <> 'ended' or w_from is null;
            end if;
            is_gap := not s.is_closure and s.valid_to is not null;
            continue when is_gap and w_from >= w_to;
            if not is_gap and (not s.is_closure or w_object is null) then
                -- the value that answers at w_from, for a closure on the stretch that ends there
                k := nb;
                while k > 0 and (b[k].starts > w_from or (s.is_closure and b[k].starts = w_from)) loop
                    k := k - 1;
                end loop;
                continue when k = 0;
                piece := b[k];
                above := null;
                for j in 1 .. ny loop
                    stay := y[j];
                    if stay.starts < stay.ends and (
                        case
                            when s.is_closure then stay.starts < w_from and w_from <= stay.ends
                            else stay.starts <= w_from and w_from < stay.ends
                        end
                    ) then
                        if stay.object = above.object then
                            above.rank := greatest(above.rank, stay.rank);
                        elsif above.atom is null or stay.rank >= above.rank then
                            above := stay;
                        end if;
                    end if;
                end loop;
                object := case
                    when above.atom is not null
                        and (piece.atom = 0 or piece.object = above.object or piece.rank <= above.rank)
                        then above.object
                    when piece.atom > 0 then piece.object
                end;
                continue when object is null or (not s.is_closure and w_object <> object);
                w_object := object;
            end if;
            ------------------------------------------------------------------- rule 3: end the stays
            ends_before := 0;
            while ends_before < ny loop
                ends_before := ends_before + 1;
                stay := y[ends_before];
                f := greatest(stay.starts, w_from);
                t := least(stay.ends, w_to);
                continue when stay.object <> w_object or f >= t
                    or not (is_gap or stay.starts <= w_from);
                if stay.rank > s.trust then
                    y[ends_before].against := stay.against || i;
                    continue;
                end if;
                y[ends_before].ends := f;
                if t < stay.ends then
                    -- the rest of the stay after the gap, at the same place in told order
                    stay.starts := t;
                    y := y[:ends_before] || stay || y[ends_before + 1:];
                    ny := ny + 1;
                    ends_before := ends_before + 1;
                end if;
            end loop;
        else
            ------------------------------------------------------- rules 1 and 2, from when to when
            is_undated := not s.holds_when_told and case
                when s.valid_to is null then s.start_inferred
                when s.told_at is null or s.valid_to > s.told_at then false
                else s.start_inferred
                    or (s.valid_from is null and s.told_at - s.valid_to < interval '24:00')
            end;
            is_past := not is_undated and not s.holds_when_told
                and (s.valid_to = s.told_at) is true;
            if s.valid_to is not null and not is_past and not is_undated then
                if w_from < w_to then
                    ny := ny + 1;
                    y[ny] := row(w_from, w_to, i, w_object, s.trust, '{}', '{}');
                end if;
                continue;
            end if;
            if is_undated then
                -- where it was known before, one more support; else the first unknown stretch
                st[i].valid_from := null;
                w_from := '-infinity';
                w_to := least(w_to, told);
                continue when w_from >= w_to;
                for j in 1 .. nb loop
                    exit when b[j].starts >= w_to;
                    is_again := is_again or (b[j].atom > 0 and b[j].object = w_object);
                end loop;
                for j in 1 .. ny loop
                    stay := y[j];
                    continue when stay.object <> w_object or stay.starts >= least(stay.ends, w_to);
                    is_again := true;
                    y[j].supports := stay.supports || i;
                end loop;
                if not is_again then
                    k := 1;
                    while k < nb and b[k].atom > 0 loop
                        k := k + 1;
                    end loop;
                    piece := b[k];
                    continue when piece.atom > 0 or piece.object = w_object;
                    w_from := piece.starts;
                    for j in k + 1 .. nb loop
                        if b[j].atom > 0 or b[j].object = w_object then
                            w_to := least(w_to, b[j].starts);
                            exit;
                        end if;
                    end loop;
                    for j in 1 .. ny loop
                        stay := y[j];
                        if stay.starts < stay.ends and stay.ends > w_from and stay.rank < s.trust then
                            w_to := least(w_to, stay.starts);
                        end if;
                    end loop;
                end if;
            else
                k := nb;
                while b[k].starts > w_from loop
                    k := k - 1;
                end loop;
                piece := b[k];
                held := piece.atom > 0 and piece.object = w_object;
                if s.start_inferred then
                    in_run := held;
                    for j in 1 .. ny loop
                        stay := y[j];
                        continue when stay.object <> w_object
                            or not (stay.starts <= w_from and w_from < stay.ends);
                        held := true;
                        y[j].rank := greatest(stay.rank, s.trust);
                        y[j].supports := stay.supports || i;
                    end loop;
                    continue when held and not in_run;
                end if;
                if held and s.start_inferred then
                    -- a restatement: up to the end of the run
                    w_to := 'infinity';
                    for j in k + 1 .. nb loop
                        piece := b[j];
                        if piece.restart or piece.atom = 0 or piece.object <> w_object then
                            w_to := piece.starts;
                            exit;
                        end if;
                    end loop;
                else
                    restarts := held and not s.start_inferred and piece.starts < w_from;
                    after := case when s.holds_when_told then greatest(w_from, told) else w_from end;
                    w_to := 'infinity';
                    for j in k + 1 .. nb loop
                        piece := b[j];
                        if piece.starts > after and (
                            case
                                when piece.atom = 0 then
                                    piece.object is not distinct from w_object
                                    and (
                                        b[j - 1].atom > 0
                                        or b[j - 1].object is distinct from w_object
                                    )
                                else
                                    piece.restart or b[j - 1].atom = 0
                                    or b[j - 1].object <> piece.object
                            end
                        ) then
                            w_to := piece.starts;
                            exit;
                        end if;
                    end loop;
                    if is_past then
                        w_to := least(w_to, told);
                    end if;
                end if;
            end if;
            continue when w_from >= w_to;
        end if;

        ------------------------------------ write or end on the base: copy its pieces, changing some
        o := b;
        k := nb;
        while o[k].starts > w_from loop
            k := k - 1;
        end loop;
        k := k - 1;                   -- so many stay as they are
        in_run := true;
        for j in k + 1 .. nb loop
            piece := o[j];
            piece_to := coalesce(o[j + 1].starts, 'infinity');
            f := greatest(piece.starts, w_from);
            t := least(piece_to, w_to);
            if is_end and is_gap then
                in_run := piece.atom > 0 and piece.object = w_object;
            elsif is_end and in_run and piece_to > w_from then
                in_run := piece.atom > 0 and piece.object = w_object
                    and (piece.starts <= w_from or not piece.restart);
            end if;
            if f >= t or (is_end and not in_run)
                or (is_again and (piece.atom = 0 or piece.object <> w_object))
            then
                k := k + 1;
                b[k] := piece;
                continue;
            end if;
            if piece.starts < f then
                k := k + 1;
                b[k] := piece;
                piece.starts := f;
                piece.restart := false;
            end if;
            k := k + 1;
            b[k] := piece;
            if piece.atom > 0 and not is_end and piece.object = w_object then
                if st[piece.atom].erased and not s.erased then
                    b[k].supersedes := piece.atom;
                    b[k].atom := i;
                else
                    b[k].supports := piece.supports || i;
                end if;
                if not is_again then
                    b[k].rank := greatest(piece.rank, s.trust);
                end if;
                b[k].restart := piece.restart or (restarts and f = w_from);
            elsif piece.atom > 0 and piece.rank > s.trust then
                b[k].against := piece.against || i;
            elsif is_end then
                b[k] := row(f, 0, piece.object, 0, 0, false, '{}', '{}');
            else
                b[k] := row(f, i, w_object, s.trust, piece.atom, false, '{}', '{}');
            end if;
            if t < piece_to then
                piece.starts := t;
                piece.restart := false;
                k := k + 1;
                b[k] := piece;
            end if;
        end loop;
        nb := k;

        if is_end and s.is_closure then
            ------------------------------------------ rule 3, last sentence: X held nowhere before
            held := false;
            for j in 1 .. nb loop
                held := held or (b[j].atom > 0 and b[j].object = w_object and b[j].starts < w_from);
            end loop;
            for j in 1 .. ny loop
                stay := y[j];
                held := held or (
                    stay.object = w_object and stay.starts < stay.ends and stay.starts < w_from
                );
            end loop;
            continue when held;
            for j in 1 .. nb loop
                piece := b[j];
                continue when piece.atom = 0 or piece.object <> w_object
                    or piece.starts <= w_from or piece.starts > told;
                if piece.rank > s.trust then
                    b[j].against := piece.against || i;
                else
                    b[j] := row(piece.starts, 0, piece.object, 0, 0, false, '{}', '{}');
                end if;
            end loop;
            for j in 1 .. ny loop
                stay := y[j];
                continue when stay.object <> w_object or stay.starts >= stay.ends
                    or stay.starts <= w_from or stay.starts > told;
                if stay.rank > s.trust then
                    y[j].against := stay.against || i;
                else
                    y[j].ends := stay.starts;
                end if;
            end loop;
        end if;
    end loop;

    ------------------------------------------------- compose both layers, and join equal neighbours
    f := '-infinity';
    k := 1;
    loop
        atom := 0;
        if f < 'infinity' then
            while k < nb and b[k + 1].starts <= f loop
                k := k + 1;
            end loop;
            t := case when k < nb then b[k + 1].starts else 'infinity' end;
            above := null;
            for j in 1 .. ny loop
                stay := y[j];
                if f < stay.starts then
                    t := least(t, stay.starts);
                elsif f < stay.ends then
                    t := least(t, stay.ends);
                    over := coalesce(above.atom, 0);
                    if stay.supports <> '{}' and st[stay.atom].erased then
                        -- what was erased may have been said again since
                        foreach again in array stay.supports loop
                            continue when st[again].erased;
                            if coalesce(st[again].valid_from, '-infinity') <= f then
                                over := stay.atom;
                                stay.atom := again;
                                stay.supports := array_remove(stay.supports, again);
                                exit;
                            end if;
                            t := least(t, st[again].valid_from);
                        end loop;
                    end if;
                    if stay.object = above.object
                        and (st[stay.atom].erased or not st[above.atom].erased)
                    then
                        above.rank := greatest(above.rank, stay.rank);
                        above.supports := above.supports || stay.atom || stay.supports;
                        above.against := above.against || stay.against;
                    elsif above.atom is null or stay.object = above.object
                        or stay.rank >= above.rank
                    then
                        above_supersedes := over;
                        if stay.object = above.object then
                            stay.rank := greatest(above.rank, stay.rank);
                        end if;
                        above := stay;
                    else
                        above.against := above.against || stay.atom;
                    end if;
                end if;
            end loop;

            piece := b[k];
            atom := piece.atom;
            object := piece.object;
            supersedes := piece.supersedes;
            supports := piece.supports;
            contradicts := piece.against;
            if above.atom is null then
                null;
            elsif atom > 0 and object = above.object then
                supports := supports || above.supports || above.atom || atom;
                if not st[above.atom].erased or st[atom].erased then
                    atom := above.atom;
                    supersedes := above_supersedes;
                end if;
                contradicts := contradicts || above.against;
            elsif atom > 0 and piece.rank > above.rank then
                contradicts := contradicts || above.atom;
            else
                atom := above.atom;
                object := above.object;
                supersedes := above_supersedes;
                supports := above.supports;
                contradicts := above.against;
            end if;
            if takes_back and atom > 0 then
                for j in 1 .. cardinality(back.disputed) loop
                    if back.disputed[j] = st[atom].statement_id then
                        contradicts := contradicts || back.disputed_by[j];
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
            last_contradicts := last_contradicts || contradicts;
        else
            if last_atom > 0 then
                supporting := '{}';
                contradicting := '{}';
                if last_supports <> '{}' or last_contradicts <> '{}' then
                    for j in 1 .. n loop
                        if j = any (last_supports) and j <> last_atom then
                            supporting := supporting || st[j].statement_id;
                        end if;
                        if j = any (last_contradicts) then
                            contradicting := contradicting || st[j].statement_id;
                        end if;
                    end loop;
                end if;
                s := st[last_atom];
                result := result || row(
                    nullif(last_from, '-infinity'), nullif(last_to, 'infinity'), s.statement_id,
                    s.object_key, st[nullif(last_supersedes, 0)].statement_id, supporting,
                    contradicting, s.erased
                )::memory.segment;
            end if;
            last_atom := atom;
            last_from := f;
            last_to := t;
            last_object := object;
            last_supersedes := supersedes;
            last_supports := supports;
            last_contradicts := contradicts;
        end if;
        exit when f = 'infinity';
        f := t;
    end loop;
    return result;
end
$$;

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
                        and (
                            s.holds_when_told
                            or (not s.start_inferred and s.valid_to is distinct from s.told_at)
                        )
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
create or replace function memory.fold_key(statements memory.statement_row[]) returns memory.segment[]
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
                        or (
                            not (statements[1]).start_inferred
                            and (statements[1]).valid_from is not null
                            and (statements[1]).valid_to is distinct from (statements[1]).told_at
                        )
                    )
            end
        then array[row(
            (statements[1]).valid_from, (statements[1]).valid_to, (statements[1]).statement_id,
            (statements[1]).object_key, null, '{}', '{}', false
        )::memory.segment]
        else memory.fold(statements)
    end;
end;

-- Periods that were derived by the rule of before are derived anew with the next refresh.
do $$
begin
    if to_regclass('derived.index_state') is not null then
        delete from derived.index_state where index_name = 'atom_periods';
    end if;
end
$$;
