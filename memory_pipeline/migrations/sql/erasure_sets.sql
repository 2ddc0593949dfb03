-- The content of a plan goes in sets: masked texts and answers at once, tombstones with the rows that
-- they stand for. A plan has a row for each item, so what is done for one is done ten thousand times.

-- What grows without a batch: how many versions of predicates, and how many contexts asked for, there
-- were when discovery read. Where nothing grew since, a plan is the same and is not made again.
alter table memory.erasure_request add column read_predicates bigint, add column read_asked bigint;

-- Tombstones are made from the atoms themselves, which nobody deletes, by the shredder alone: three
-- references would be asked for each.
alter table memory.tombstone
    drop constraint tombstone_atom_id_fkey,
    drop constraint tombstone_tenant_id_fkey,
    drop constraint tombstone_audience_id_fkey;

-- The verifier reads the database's files byte by byte, and sees nothing in what is compressed: content
-- beyond 2 kB a row is kept as it is. Smaller rows were never compressed.
do $$
declare
    v_column record;
begin
    for v_column in
        select n.nspname as schema, c.relname as name, a.attname as column
        from pg_class as c
        join pg_namespace as n on n.oid = c.relnamespace
        join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where n.nspname = 'memory' and c.relkind in ('r', 'p') and a.attstorage = 'x'
            and split_part(obj_description(c.oid, 'pg_class'), ':', 1) = 'content'
    loop
        execute format('alter table %I.%I alter column %I set storage external',
            v_column.schema, v_column.name, v_column.column);
    end loop;
end $$;

-- The text with a block for every character that is no space. Word by word, which is far quicker than
-- character by character, wherever no other space than the usual one stands in it.
create function memory.blocks(p_text text) returns text
language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
    select case
        when p_text ~ '[^\S ]' then regexp_replace(p_text, '\S', '█', 'g')
        else coalesce((
            select string_agg(repeat('█', length(word)), ' ' order by n)
            from string_to_table(p_text, ' ') with ordinality as w (word, n)
        ), p_text)
    end
$$;

create or replace function memory.masked(p_text text, p_spans int4multirange) returns text
language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
    select case
        when isempty(p_spans) or p_text is null then p_text
        when p_spans @> int4range(0, length(p_text)) then memory.blocks(p_text)
        else (
            select string_agg(
                substr(p_text, coalesce(lag_upper, 0) + 1, lower(span) - coalesce(lag_upper, 0))
                || memory.blocks(part),
                '' order by lower(span)) || substr(p_text, max(upper(span)) + 1)
            from (
                select span, lag(upper(span)) over (order by lower(span)) as lag_upper,
                    substr(p_text, lower(span) + 1, upper(span) - lower(span)) as part
                from unnest(p_spans) as span
            ) as s
        )
    end
$$;

-- Spans [[start, end], ...] as one value.
create function memory.spans_of(p_spans jsonb) returns int4multirange
language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
    select coalesce(range_agg(int4range((s ->> 0)::int, (s ->> 1)::int)), '{}'::int4multirange)
    from jsonb_array_elements(p_spans) as s
$$;

-- A JSON value with less in it, by edits [[path, spans], ...] in their order: characters of the string
-- at a path masked, or where spans are null, the element of an array at the path left out. Whatever
-- the edits, nothing comes in that was not there.
create function memory.edited(p_json jsonb, p_edits jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
declare
    v_edit jsonb;
    v_path text[];
    v_json jsonb := p_json;
    v_text jsonb;
begin
    for v_edit in select e from jsonb_array_elements(p_edits) as e loop
        v_path := array(select jsonb_array_elements_text(v_edit -> 0));
        if jsonb_typeof(v_edit -> 1) = 'array' and jsonb_typeof(v_json #> v_path) = 'string' then
            v_text := to_jsonb(memory.masked(v_json #>> v_path, memory.spans_of(v_edit -> 1)));
            v_json := case when v_path = '{}' then v_text
                else jsonb_set(v_json, v_path, v_text, false) end;
        elsif jsonb_typeof(v_edit -> 1) = 'null' and cardinality(v_path) > 0
            and jsonb_typeof(v_json #> v_path[:cardinality(v_path) - 1]) = 'array'
            and v_json #> v_path is not null
        then
            v_json := v_json #- v_path;
        else
            raise exception 'an edit neither masks a string nor leaves out an element'
                using errcode = 'check_violation';
        end if;
    end loop;
    return v_json;
end
$$;

revoke execute on function
    memory.blocks(text), memory.spans_of(jsonb), memory.edited(jsonb, jsonb)
from public;
grant execute on function
    memory.blocks(text), memory.spans_of(jsonb), memory.edited(jsonb, jsonb)
to mem_shredder, mem_eraser, mem_verifier, mem_builder;

grant create on schema memory to mem_shredder;
-- as their owner, who alone may
set role mem_shredder;

-- Redacts one column of rows that the plan redacts, each by its own edits (of texts: spans); returns
-- how many changed. Raises where one is not planned so, and nothing is done then.
create function memory.redact_rows(
    p_request_id uuid, p_table text, p_column text, p_ids uuid[], p_edits jsonb[]
) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp
set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
    v_row record := memory.redactable(p_table);
    v_new text;
    v_n bigint;
begin
    perform memory.check_erasable(p_request_id);
    v_new := case
        when (p_table, p_column) in (
            ('atom_content', 'text'), ('closure_content', 'text'), ('reason_content', 'reason'),
            ('dialog_content', 'title'), ('dialog_content', 'namespace'),
            ('dialog_content', 'native_id'))
        then 'memory.masked(c.%1$I, memory.spans_of(p.edits))'
        when (p_table, p_column) in (
            ('atom_content', 'object'), ('closure_content', 'object'),
            ('extraction_content', 'answer'), ('review_content', 'item'),
            ('message_content', 'attachments'))
        then 'memory.edited(c.%1$I, p.edits)'
        when (p_table, p_column) = ('message_content', 'tags')
        then 'array(select jsonb_array_elements_text(memory.edited(to_jsonb(c.%1$I), p.edits)))'
    end;
    if v_new is null then
        raise exception 'memory.%.% is not redacted', p_table, p_column
            using errcode = 'invalid_parameter_value';
    end if;
    if exists (
        select from unnest(p_ids) as id
        where not exists (
            select from memory.erasure_item as i
            where i.request_id = p_request_id and i.kind = v_row.item_kind and i.item_id = id
                and i.action = 'redact')
    ) then
        raise exception 'request % does not redact all of these rows of memory.%', p_request_id, p_table
            using errcode = 'insufficient_privilege';
    end if;
    execute format(
        'update memory.%2$I as c set %1$I = ' || v_new
        || ' from unnest($1, $2) as p (id, edits) where c.%3$I = p.id and c.%1$I is not null',
        p_column, p_table, v_row.key)
    using p_ids, p_edits;
    get diagnostics v_n = row_count;
    return v_n;
end
$$;

-- By keys alone: what a plan has a moment after it was written is known to no statistics, and a table
-- that is read whole costs as much as the store has rows.
create or replace function memory.erase_planned(p_request_id uuid, p_batch_id uuid)
returns table (store text, n bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_table record;
    v_tenant_id int;
    v_n bigint;
    v_n_content bigint;
begin
    perform memory.check_erasable(p_request_id);
    select r.tenant_id into v_tenant_id
    from memory.erasure_request as r where r.request_id = p_request_id;

    with planned as materialized (
        select a.atom_id, a.subject_id, a.audience_id
        from memory.erasure_item as i
        join memory.atom as a on a.atom_id = i.item_id
        where i.request_id = p_request_id and i.kind = 'atom' and i.action = 'erase'
            and a.tenant_id = v_tenant_id
    ),
    marked as (
        insert into memory.tombstone (atom_id, tenant_id, audience_id, batch_id, request_id)
        select p.atom_id, v_tenant_id, p.audience_id, p_batch_id, p_request_id
        from planned as p
        on conflict (atom_id) do nothing
        returning 1
    ),
    gone as (
        -- with the partition's column, so that one partition is looked into
        delete from memory.atom_content as c
        using planned as p
        where c.atom_id = p.atom_id and c.subject_id = p.subject_id
        returning 1
    )
    select (select count(*) from marked), (select count(*) from gone) into v_n, v_n_content;
    store := 'tombstone'; n := v_n; return next;
    store := 'atom_content'; n := v_n_content; return next;

    for v_table in
        select * from (values
            ('closure_content', 'closure_id', 'closure'),
            ('reason_content', 'statement_id', 'reason'),
            ('extraction_content', 'extraction_id', 'extraction'),
            ('dialog_content', 'dialog_id', 'dialog'),
            ('name_content', 'name_id', 'name'),
            ('snapshot_content', 'snapshot_id', 'snapshot'),
            ('snapshot_request_content', 'request_id', 'snapshot_request'),
            ('review_content', 'review_id', 'review'),
            ('quarantine_content', 'quarantine_id', 'quarantine')
        ) as t (name, key, kind)
    loop
        execute format(
            'delete from memory.%I as c using memory.erasure_item as i '
            'where i.request_id = $1 and i.kind = $2::memory.erasure_kind and i.action = ''erase'' '
            'and c.%I = i.item_id', v_table.name, v_table.key)
        using p_request_id, v_table.kind;
        get diagnostics v_n = row_count;
        store := v_table.name; n := v_n; return next;
    end loop;

    with planned as (
        select s.message_id, int4range(s.span_start, s.span_end) as span, false as is_whole
        from memory.erasure_span as s where s.request_id = p_request_id
        union all
        select i.item_id, null, true
        from memory.erasure_item as i
        where i.request_id = p_request_id and i.kind = 'message' and i.action = 'erase'
    ),
    redacted as (
        select p.message_id, range_agg(p.span) as spans, bool_or(p.is_whole) as is_whole
        from planned as p
        group by p.message_id
    ),
    -- each text is masked once, whatever is asked of it
    texts as materialized (
        select m.message_id, m.dialog_id, r.is_whole, c.text as old, case
            when r.is_whole then memory.blocks(c.text)
            else memory.masked(c.text, r.spans) end as new
        from redacted as r
        join memory.message as m on m.message_id = r.message_id and m.tenant_id = v_tenant_id
        join memory.message_content as c
            on c.message_id = m.message_id and c.dialog_id = m.dialog_id
    ),
    masked as materialized (
        select t.*, t.is_whole or t.new !~ '[^█\s]' as is_bare
        from texts as t where length(t.new) = length(t.old)
    )
    update memory.message_content as c
    set text = m.new,
        native_id = case when not m.is_bare then c.native_id end,
        attachments = case when not m.is_bare then c.attachments end,
        tags = case when not m.is_bare then c.tags end
    from masked as m
    where c.message_id = m.message_id and c.dialog_id = m.dialog_id
        and (m.new <> m.old
            or m.is_bare and num_nonnulls(c.native_id, c.attachments, c.tags) > 0);
    get diagnostics v_n = row_count;
    store := 'message_content'; n := v_n; return next;

    insert into memory.redaction (message_id, span_start, span_end, request_id, batch_id)
    select p.message_id, p.span_start, p.span_end, p_request_id, p_batch_id
    from (
        select s.message_id, s.span_start, s.span_end
        from memory.erasure_span as s
        join memory.message as m on m.message_id = s.message_id and m.tenant_id = v_tenant_id
        where s.request_id = p_request_id
        union
        select m.message_id, 0, m.n_chars
        from memory.erasure_item as i
        join memory.message as m on m.message_id = i.item_id and m.tenant_id = v_tenant_id
        where i.request_id = p_request_id and i.kind = 'message' and i.action = 'erase'
            and m.n_chars > 0
    ) as p
    on conflict do nothing;
    get diagnostics v_n = row_count;
    store := 'redaction'; n := v_n; return next;
end
$$;

revoke execute on function memory.redact_rows(uuid, text, text, uuid[], jsonb[]) from public;
grant execute on function memory.redact_rows(uuid, text, text, uuid[], jsonb[]) to mem_eraser;
reset role;
revoke create on schema memory from mem_shredder;
