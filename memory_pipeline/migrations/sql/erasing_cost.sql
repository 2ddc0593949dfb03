-- What the content transaction does row by row, at less cost a row. Every result is as before.

-- As its definition binds the names in it, it needs no search path of its own, and a query takes it in.
create or replace function memory.is_sealed(p_text text) returns boolean
language sql immutable parallel safe
begin atomic
    select coalesce(starts_with(p_text, E'\uFDD0'), false);
end;

-- Piece by piece: most texts have a span or two, for which a query with windows costs more than the
-- masking itself.
create or replace function memory.masked(p_text text, p_spans int4multirange) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
declare
    v_span int4range;
    v_new text := '';
    v_at int := 0;
begin
    if p_text is null or isempty(p_spans) then
        return p_text;
    elsif p_spans @> int4range(0, length(p_text)) then
        return memory.blocks(p_text);
    end if;
    for v_span in select unnest(p_spans) loop
        v_new := v_new || substr(p_text, v_at + 1, lower(v_span) - v_at)
            || memory.blocks(substr(p_text, lower(v_span) + 1, upper(v_span) - lower(v_span)));
        v_at := upper(v_span);
    end loop;
    return v_new || substr(p_text, v_at + 1);
end
$$;

-- The same tree, a level of which is one value of 32 bytes a node: its pairs need not be grouped.
create or replace function memory.merkle_root(p_leaves bytea[]) returns bytea
language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$
declare
    v_level bytea;
    v_odd bytea;
    v_n int := coalesce(cardinality(p_leaves), 0);
begin
    if v_n = 0 then
        return sha256('');
    end if;
    select string_agg(sha256('\x00'::bytea || leaf), ''::bytea order by n) into v_level
    from unnest(p_leaves) with ordinality as t (leaf, n);
    while v_n > 1 loop
        v_odd := case when v_n % 2 = 1 then substr(v_level, (v_n - 1) * 32 + 1, 32) else '' end;
        select string_agg(sha256('\x01'::bytea || substr(v_level, n * 64 + 1, 64)), ''::bytea order by n)
        into v_level
        from generate_series(0, v_n / 2 - 1) as n;
        v_level := v_level || v_odd;
        v_n := (v_n + 1) / 2;
    end loop;
    return v_level;
end
$$;

grant create on schema memory to mem_shredder;
-- as their owner, who alone may
set role mem_shredder;

-- Each row is read once, in the partition where it lies, and of a JSON value only a string is written
-- out: no other is sealed.
create or replace function memory.end_keys(p_request_id uuid) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp
set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
    v_place record;
    v_total bigint := 0;
    v_n bigint;
begin
    perform memory.check_erasable(p_request_id);
    for v_place in
        select * from (values
            ('atom_content', 'atom_id', 'atom', array['text'], array['object']),
            ('closure_content', 'closure_id', 'closure', array['text'], array['object']),
            ('reason_content', 'statement_id', 'reason', array['reason'], null),
            ('extraction_content', 'extraction_id', 'extraction', null, array['answer']),
            ('review_content', 'review_id', 'review', null, array['item']),
            ('snapshot_content', 'snapshot_id', 'snapshot', array['query'], array['snapshot']),
            ('snapshot_request_content', 'request_id', 'snapshot_request', array['query'], null)
        ) as t (name, key, kind, texts, jsons)
    loop
        execute format(
            'with sealed as materialized ('
            ' select i.item_id, v.value from memory.erasure_item as i' || case v_place.name
                when 'atom_content' then
                    ' join memory.atom as a on a.atom_id = i.item_id'
                    ' join memory.%1$I as c on c.%2$I = i.item_id and c.subject_id = a.subject_id'
                else ' join memory.%1$I as c on c.%2$I = i.item_id' end
            || ' cross join lateral (values %3$s) as v (value)'
            ' where i.request_id = $1 and i.kind = $2::memory.erasure_kind and i.action = ''erase'''
            ' and memory.is_sealed(v.value))'
            ' insert into memory.key_end (request_id, bundle_id, record_id, place)'
            ' select $1, s.bundle_id, s.record_id, s.place from sealed'
            ' cross join lateral memory.seal_of(sealed.value) as s'
            ' where s.record_id = sealed.item_id on conflict do nothing',
            v_place.name, v_place.key, (
                select string_agg(value, ', ') from (
                    select format('(c.%I)', name) as value from unnest(v_place.texts) as name
                    union all
                    select format(
                        '(case when jsonb_typeof(c.%1$I) = ''string'' then c.%1$I #>> ''{}'' end)', name)
                    from unnest(v_place.jsons) as name
                ) as fields))
        using p_request_id, v_place.kind;
        get diagnostics v_n = row_count;
        v_total := v_total + v_n;
    end loop;
    return v_total;
end
$$;

reset role;
revoke create on schema memory from mem_shredder;
