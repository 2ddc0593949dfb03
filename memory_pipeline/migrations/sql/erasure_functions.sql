-- What the eraser may do to content, and nothing beyond a request's plan. The functions belong to
-- mem_shredder, whom the triggers of content tables let through and who has no login.

grant create on schema memory to mem_shredder;

-- The text with every character of the spans (code points) that is no space as a block: lengths
-- and words stay.
create function memory.masked(p_text text, p_spans int4multirange) returns text
language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
    select case when isempty(p_spans) or p_text is null then p_text else (
        select string_agg(
            substr(p_text, coalesce(lag_upper, 0) + 1, lower(span) - coalesce(lag_upper, 0))
            -- far quicker than to replace character by character
            || translate(part, regexp_replace(part, '\s+', '', 'g'), repeat('█', length(part))),
            '' order by lower(span)) || substr(p_text, max(upper(span)) + 1)
        from (
            select span, lag(upper(span)) over (order by lower(span)) as lag_upper,
                substr(p_text, lower(span) + 1, upper(span) - lower(span)) as part
            from unnest(p_spans) as span
        ) as s
    ) end
$$;

-- Whether a text is another with some of its characters as blocks.
create function memory.is_masked_of(p_new text, p_old text) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
    select length(p_new) = length(p_old) and not exists (
        select
        from string_to_table(p_new, null) with ordinality as n (letter, at)
        join string_to_table(p_old, null) with ordinality as o (letter, at) using (at)
        where n.letter <> o.letter and n.letter <> '█')
$$;

-- Whether a JSON value is another with masked strings, and without some elements of its arrays.
create function memory.is_less_of(p_new jsonb, p_old jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
declare
    v_at int := 0;
    v_old jsonb;
    v_new jsonb;
    v_key text;
begin
    if p_new = p_old then
        return true;
    elsif jsonb_typeof(p_new) = 'null' and jsonb_typeof(p_old) in ('number', 'boolean') then
        return true;
    elsif jsonb_typeof(p_new) <> jsonb_typeof(p_old) then
        return false;
    elsif jsonb_typeof(p_new) = 'string' then
        return memory.is_masked_of(p_new #>> '{}', p_old #>> '{}');
    elsif jsonb_typeof(p_new) = 'array' then
        -- the elements that are left stand in their order
        for v_new in select value from jsonb_array_elements(p_new) loop
            loop
                v_old := p_old -> v_at;
                v_at := v_at + 1;
                if v_old is null then
                    return false;
                end if;
                exit when memory.is_less_of(v_new, v_old);
            end loop;
        end loop;
        return true;
    elsif jsonb_typeof(p_new) = 'object' then
        for v_key in select jsonb_object_keys(p_old) loop
            if not p_new ? v_key or not memory.is_less_of(p_new -> v_key, p_old -> v_key) then
                return false;
            end if;
        end loop;
        return not exists (select from jsonb_object_keys(p_new) as k where not p_old ? k);
    end if;
    return false;
end
$$;

-- Raises unless content of the request may be destroyed now.
create function memory.check_erasable(p_request_id uuid) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
    v_state memory.erasure_state;
begin
    select state into v_state from memory.erasure_request where request_id = p_request_id;
    if v_state is null then
        raise exception 'there is no erasure request %', p_request_id using errcode = 'no_data_found';
    elsif v_state < 'keys_destroyed' or v_state > 'verified' then
        raise exception 'request % is %: content goes only after keys_destroyed and before certified',
            p_request_id, v_state using errcode = 'object_not_in_prerequisite_state';
    end if;
end
$$;

-- The content of a request's plan, in the caller's transaction: erased items lose their rows,
-- messages the characters of the planned spans; what was done is counted by table. What is gone
-- already is passed over, so that a grown plan is another call.
create function memory.erase_planned(p_request_id uuid, p_batch_id uuid)
returns table (store text, n bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_table record;
    v_n bigint;
begin
    perform memory.check_erasable(p_request_id);

    insert into memory.tombstone (atom_id, tenant_id, audience_id, batch_id, request_id)
    select a.atom_id, a.tenant_id, a.audience_id, p_batch_id, p_request_id
    from memory.erasure_item as i
    join memory.erasure_request as r using (request_id)
    join memory.atom as a on a.atom_id = i.item_id and a.tenant_id = r.tenant_id
    where i.request_id = p_request_id and i.kind = 'atom' and i.action = 'erase'
    on conflict (atom_id) do nothing;
    get diagnostics v_n = row_count;
    store := 'tombstone'; n := v_n; return next;

    -- with the partition's column, so that one partition is looked into
    delete from memory.atom_content as c
    using memory.erasure_item as i, memory.atom as a, memory.erasure_request as r
    where i.request_id = p_request_id and i.kind = 'atom' and i.action = 'erase'
        and r.request_id = p_request_id
        and a.atom_id = i.item_id and a.tenant_id = r.tenant_id
        and c.atom_id = a.atom_id and c.subject_id = a.subject_id;
    get diagnostics v_n = row_count;
    store := 'atom_content'; n := v_n; return next;

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
        select s.message_id, int4range(s.span_start, s.span_end) as span
        from memory.erasure_span as s where s.request_id = p_request_id
        union all
        select m.message_id, int4range(0, greatest(m.n_chars, 1))
        from memory.erasure_item as i join memory.message as m on m.message_id = i.item_id
        where i.request_id = p_request_id and i.kind = 'message' and i.action = 'erase'
    ),
    redacted as (
        select m.message_id, m.dialog_id, range_agg(p.span) as spans
        from planned as p
        join memory.message as m using (message_id)
        join memory.erasure_request as r on r.request_id = p_request_id and r.tenant_id = m.tenant_id
        group by m.message_id, m.dialog_id
    ),
    -- each text is masked once, whatever is asked of it
    texts as materialized (
        select r.message_id, r.dialog_id, c.text as old, memory.masked(c.text, r.spans) as new
        from redacted as r
        join memory.message_content as c
            on c.message_id = r.message_id and c.dialog_id = r.dialog_id
    ),
    masked as materialized (
        select t.*, t.new !~ '[^█\s]' as is_bare from texts as t where length(t.new) = length(t.old)
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
    select s.message_id, s.span_start, s.span_end, p_request_id, p_batch_id
    from memory.erasure_span as s
    join memory.message as m using (message_id)
    join memory.erasure_request as r on r.request_id = s.request_id and r.tenant_id = m.tenant_id
    where s.request_id = p_request_id
    union
    select m.message_id, 0, m.n_chars, p_request_id, p_batch_id
    from memory.erasure_item as i
    join memory.message as m on m.message_id = i.item_id
    join memory.erasure_request as r on r.request_id = i.request_id and r.tenant_id = m.tenant_id
    where i.request_id = p_request_id and i.kind = 'message' and i.action = 'erase' and m.n_chars > 0
    on conflict do nothing;
    get diagnostics v_n = row_count;
    store := 'redaction'; n := v_n; return next;
end
$$;

-- Which kind of item a content table's row is, and by which column.
create function memory.redactable(p_table text, out item_kind memory.erasure_kind, out key name)
language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$
begin
    select t.kind::memory.erasure_kind, t.key into item_kind, key
    from (values
        ('atom_content', 'atom', 'atom_id'), ('closure_content', 'closure', 'closure_id'),
        ('reason_content', 'reason', 'statement_id'),
        ('extraction_content', 'extraction', 'extraction_id'),
        ('dialog_content', 'dialog', 'dialog_id'), ('review_content', 'review', 'review_id'),
        ('message_content', 'message', 'message_id')
    ) as t (name, kind, key)
    where t.name = p_table;
    if item_kind is null then
        raise exception 'rows of memory.% are not redacted', p_table
            using errcode = 'invalid_parameter_value';
    end if;
end
$$;

-- Puts a masked text, of equal length, in place of one of a row that the plan redacts.
create function memory.redact_text(
    p_request_id uuid, p_table text, p_id uuid, p_column text, p_text text
) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_row record := memory.redactable(p_table);
    v_old text;
begin
    perform memory.check_erasable(p_request_id);
    if (p_table, p_column) not in (
        ('atom_content', 'text'), ('closure_content', 'text'), ('reason_content', 'reason'),
        ('dialog_content', 'title'), ('dialog_content', 'namespace'), ('dialog_content', 'native_id')
    ) then
        raise exception 'memory.%.% is not redacted as a text', p_table, p_column
            using errcode = 'invalid_parameter_value';
    end if;
    if not exists (
        select from memory.erasure_item
        where request_id = p_request_id and kind = v_row.item_kind and item_id = p_id
            and action = 'redact'
    ) then
        raise exception 'request % does not redact this row of memory.%', p_request_id, p_table
            using errcode = 'insufficient_privilege';
    end if;
    execute format('select %I from memory.%I where %I = $1', p_column, p_table, v_row.key)
        into v_old using p_id;
    if v_old is null or v_old = p_text then
        return false;
    end if;
    if not memory.is_masked_of(p_text, v_old) then
        raise exception 'the text for memory.% is not the stored one with masked characters', p_table
            using errcode = 'check_violation';
    end if;
    execute format('update memory.%I set %I = $2 where %I = $1', p_table, p_column, v_row.key)
        using p_id, p_text;
    return true;
end
$$;

-- The same for JSON: strings masked, elements of arrays left out.
create function memory.redact_json(
    p_request_id uuid, p_table text, p_id uuid, p_column text, p_json jsonb
) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_row record := memory.redactable(p_table);
    v_old jsonb;
begin
    perform memory.check_erasable(p_request_id);
    if (p_table, p_column) not in (
        ('atom_content', 'object'), ('closure_content', 'object'), ('extraction_content', 'answer'),
        ('review_content', 'item'), ('message_content', 'attachments'), ('message_content', 'tags')
    ) then
        raise exception 'memory.%.% is not redacted as JSON', p_table, p_column
            using errcode = 'invalid_parameter_value';
    end if;
    if not exists (
        select from memory.erasure_item
        where request_id = p_request_id and kind = v_row.item_kind and item_id = p_id
            and action = 'redact'
    ) then
        raise exception 'request % does not redact this row of memory.%', p_request_id, p_table
            using errcode = 'insufficient_privilege';
    end if;
    execute format('select to_jsonb(%I) from memory.%I where %I = $1', p_column, p_table, v_row.key)
        into v_old using p_id;
    if v_old is null or v_old = p_json then
        return false;
    end if;
    if not memory.is_less_of(p_json, v_old) then
        raise exception 'the value for memory.% is not the stored one with less in it', p_table
            using errcode = 'check_violation';
    end if;
    execute format('update memory.%I set %I = %s where %I = $1', p_table, p_column,
        case p_column when 'tags' then 'array(select jsonb_array_elements_text($2))' else '$2' end,
        v_row.key)
        using p_id, p_json;
    return true;
end
$$;

-- Paths and names of files that a request planned, once the files are gone.
create function memory.erase_file_names(p_request_id uuid, p_kind memory.erasure_kind, p_ids uuid[])
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_n bigint;
begin
    perform memory.check_erasable(p_request_id);
    if p_kind = 'export' then
        with planned as (
            select item_id from memory.erasure_item
            where request_id = p_request_id and kind = 'export' and action = 'erase'
                and item_id = any (p_ids)
        ), packed as (
            delete from memory.export_content as c using planned where c.export_id = item_id returning 1
        ), written as (
            delete from memory.subject_export_content as c using planned where c.export_id = item_id
            returning 1
        )
        select (select count(*) from packed) + (select count(*) from written) into v_n;
        return v_n;
    elsif p_kind = 'file' then
        delete from memory.log_file_content as c
        using memory.erasure_item as i
        where i.request_id = p_request_id and i.kind = 'file' and i.action = 'erase'
            and c.file_id = i.item_id and i.item_id = any (p_ids);
    else
        raise exception 'items of kind % are no files', p_kind using errcode = 'invalid_parameter_value';
    end if;
    get diagnostics v_n = row_count;
    return v_n;
end
$$;

-- Once everything is scrubbed and no mention waits, the request's own words go.
create function memory.erase_request_content(p_request_id uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (
        select from memory.erasure_request
        where request_id = p_request_id
            and state in ('scrubbed', 'verified', 'certified', 'cancelled')
    ) then
        raise exception 'request % is not scrubbed: its words are needed', p_request_id
            using errcode = 'object_not_in_prerequisite_state';
    end if;
    delete from memory.erasure_request_content where request_id = p_request_id;
    delete from memory.erasure_mention_content as c
    using memory.erasure_mention as m
    where m.request_id = p_request_id and c.mention_id = m.mention_id;
end
$$;

alter function memory.erase_planned(uuid, uuid) owner to mem_shredder;
alter function memory.redact_text(uuid, text, uuid, text, text) owner to mem_shredder;
alter function memory.redact_json(uuid, text, uuid, text, jsonb) owner to mem_shredder;
alter function memory.erase_file_names(uuid, memory.erasure_kind, uuid[]) owner to mem_shredder;
alter function memory.erase_request_content(uuid) owner to mem_shredder;
revoke create on schema memory from mem_shredder;

revoke execute on function
    memory.masked(text, int4multirange), memory.is_masked_of(text, text),
    memory.is_less_of(jsonb, jsonb), memory.check_erasable(uuid), memory.redactable(text)
from public;
grant execute on function
    memory.masked(text, int4multirange), memory.is_masked_of(text, text),
    memory.is_less_of(jsonb, jsonb), memory.check_erasable(uuid), memory.redactable(text)
to mem_shredder, mem_eraser, mem_verifier, mem_builder;
-- as their owner, who alone may
set role mem_shredder;
revoke execute on function
    memory.erase_planned(uuid, uuid), memory.redact_text(uuid, text, uuid, text, text),
    memory.redact_json(uuid, text, uuid, text, jsonb),
    memory.erase_file_names(uuid, memory.erasure_kind, uuid[]), memory.erase_request_content(uuid)
from public;
grant execute on function
    memory.erase_planned(uuid, uuid), memory.redact_text(uuid, text, uuid, text, text),
    memory.redact_json(uuid, text, uuid, text, jsonb),
    memory.erase_file_names(uuid, memory.erasure_kind, uuid[]), memory.erase_request_content(uuid)
to mem_eraser;
reset role;
