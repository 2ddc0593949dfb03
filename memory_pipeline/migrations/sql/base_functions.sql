-- Functions that the rules and every reader stand on.

-- Tenants in which the login may read anything. The mapping follows from session_user, which no
-- setting and no SET ROLE can change; the setting memory.tenant may only narrow it.
create function memory.readable_tenants() returns int[]
language sql stable security definer parallel safe set search_path = pg_catalog, pg_temp
as $$
    select coalesce(array_agg(distinct g.tenant_id), '{}')
    from (
        select distinct on (tenant_id, audience) tenant_id, is_granted
        from memory.access_grant
        where login = session_user
        order by tenant_id, audience, grant_id desc
    ) as g
    join memory.tenant as t using (tenant_id)
    where g.is_granted
        and coalesce(nullif(current_setting('memory.tenant', true), ''), t.name) = t.name
$$;

-- Tenants of which the login may read all audiences: only they see quarantine and whole-tenant marts.
create function memory.governed_tenants() returns int[]
language sql stable security definer parallel safe set search_path = pg_catalog, pg_temp
as $$
    select coalesce(array_agg(distinct g.tenant_id), '{}')
    from (
        select distinct on (tenant_id) tenant_id, is_granted
        from memory.access_grant
        where login = session_user and audience = '*'
        order by tenant_id, grant_id desc
    ) as g
    join memory.tenant as t using (tenant_id)
    where g.is_granted
        and coalesce(nullif(current_setting('memory.tenant', true), ''), t.name) = t.name
        and nullif(current_setting('memory.audiences', true), '') is null
$$;

-- Audience sets that the login may read: every name of the set is granted, or all are.
-- The setting memory.audiences (names, comma-separated) may only narrow.
-- Policies ask whether a row's set is in here by one cheap operation, so that PostgreSQL asks it
-- before anything that a query asks of the row. Comparisons are leakproof and may go before dearer
-- policies: EXPLAIN (ANALYZE) would then tell whether a row that the reader may not see has met them.
create function memory.readable_sets() returns int4multirange
language sql stable security definer parallel safe set search_path = pg_catalog, pg_temp
as $$
    with granted as (
        select tenant_id, array_agg(audience) as names
        from (
            select distinct on (tenant_id, audience) tenant_id, audience, is_granted
            from memory.access_grant
            where login = session_user
            order by tenant_id, audience, grant_id desc
        ) as g
        where is_granted
        group by tenant_id
    )
    select coalesce(range_agg(int4range(a.audience_id, a.audience_id, '[]')), '{}')
    from granted
    join memory.tenant as t using (tenant_id)
    join memory.audience as a using (tenant_id)
    where ('*' = any (granted.names) or a.names <@ granted.names)
        and coalesce(nullif(current_setting('memory.tenant', true), ''), t.name) = t.name
        and (
            nullif(current_setting('memory.audiences', true), '') is null
            or a.names <@ string_to_array(current_setting('memory.audiences', true), ',')
        )
$$;

-- The same as an array, which an index can be asked by.
create function memory.readable() returns int[]
language sql stable security definer parallel safe set search_path = pg_catalog, pg_temp
as $$
    select coalesce(array_agg(audience_id), '{}')
    from unnest(memory.readable_sets()) as run
    cross join lateral generate_series(lower(run), upper(run) - 1) as audience_id
$$;

-- Atoms that a later restriction takes from this reader; of what it never could read it says nothing.
create function memory.hidden_atoms() returns uuid[]
language sql stable security definer parallel safe set search_path = pg_catalog, pg_temp
as $$
    select coalesce(array_agg(distinct r.atom_id), '{}')
    from memory.restriction as r
    join memory.atom as a using (atom_id)
    where r.tenant_id = any ((select memory.readable_tenants())::int[])
        and r.audience_id <> all ((select memory.readable())::int[])
        and a.audience_id = any ((select memory.readable())::int[])
$$;

-- Snapshots of this login that carry such an atom: their text goes with it.
create function memory.hidden_snapshots() returns uuid[]
language sql stable security definer parallel safe set search_path = pg_catalog, pg_temp
as $$
    select coalesce(array_agg(distinct i.snapshot_id), '{}')
    from memory.snapshot_item as i
    join memory.snapshot as s using (snapshot_id)
    where i.item_id = any ((select memory.hidden_atoms())::uuid[]) and s.login = session_user
$$;

-- Gives a finished batch its gapless number. Called last in the batch's transaction, so that the
-- lock is held for the commit only and numbers follow commit order.
create function memory.close_batch(p_batch_id uuid, p_tenant_id int, p_kind text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_no bigint;
    v_at timestamptz;
begin
    perform pg_advisory_xact_lock(hashtextextended('memory.batch', 0));
    select coalesce(max(batch_no), 0) + 1,
        greatest(clock_timestamp(), max(recorded_at) + interval '1 microsecond')
    into v_no, v_at
    from memory.batch;
    insert into memory.batch (batch_id, batch_no, tenant_id, kind, recorded_at)
    values (p_batch_id, v_no, p_tenant_id, p_kind, v_at);
    return v_no;
end
$$;

-- The last batch recorded at or before a moment; 0 before the first, null = now.
create function memory.batch_at(p_recorded_at timestamptz) returns bigint
language sql stable parallel safe set search_path = pg_catalog, pg_temp
as $$
    select coalesce(max(batch_no), 0)
    from memory.batch
    where p_recorded_at is null or recorded_at <= p_recorded_at
$$;

create function memory.refuse_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
    if tg_argv[0] = 'content' and tg_op <> 'TRUNCATE' and current_user = 'mem_shredder' then
        return null;
    end if;
    raise exception '%.% is append-only: % is refused', tg_table_schema, tg_table_name, tg_op
        using errcode = 'restrict_violation';
end
$$;

create function memory.refuse_backward() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
    if new.state < old.state then
        raise exception '%.%: state moves only forward', tg_table_schema, tg_table_name
            using errcode = 'restrict_violation';
    end if;
    return new;
end
$$;

-- Reads the kind of each table from its comment and installs what that kind demands: triggers,
-- statistics, forced row-level security, policies, grants. Idempotent; later migrations call it
-- again. A table whose kind or reader's rule is unknown is an error, so that none is forgotten.
create function memory.install_rules() returns void
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
    v_table record;
    v_column record;
    v_rule text;
    v_name text;
    v_readable constant text := 'multirange_contains_elem((select memory.readable_sets()), audience_id)';
    -- before rules that ask elsewhere, and where a key begins with the tenant: rows of other tenants
    -- are then not even counted in a plan
    v_own_tenant constant text := 'tenant_id = any ((select memory.readable_tenants())::int[])';
    v_rules constant jsonb := jsonb_build_object(
        'tenant', 'tenant_id = any ((select memory.readable_tenants())::int[])',
        'tenant_setting', 'tenant_id = any ((select memory.governed_tenants())::int[])',
        'audience', v_own_tenant,
        'message', v_own_tenant,
        'extraction', v_own_tenant,
        'review', v_own_tenant,
        'access_grant', 'login = session_user',
        'batch', 'tenant_id = any ((select memory.readable_tenants())::int[])',
        -- who may see quarantine sees also the files of which nothing could be read
        'log_file',
            v_own_tenant || ' and (exists (select from memory.message as m where m.file_id = log_file.file_id)'
            ' or tenant_id = any ((select memory.governed_tenants())::int[]))',
        -- counts a file's records, whoever may read them
        'file_read', 'tenant_id = any ((select memory.governed_tenants())::int[])',
        'extraction_pass',
            v_own_tenant || ' and exists (select from memory.dialog as d where d.dialog_id = extraction_pass.dialog_id)',
        'log_file_content',
            'exists (select from memory.log_file as f where f.file_id = log_file_content.file_id)',
        'dialog', v_own_tenant || ' and exists (select from memory.message as m where m.dialog_id = dialog.dialog_id)',
        'dialog_content',
            'exists (select from memory.message as m where m.dialog_id = dialog_content.dialog_id)',
        'entity',
            v_own_tenant
            || ' and (exists (select from memory.message as m where m.speaker_id = entity.entity_id)'
            ' or exists (select from memory.atom as a where a.subject_id = entity.entity_id)'
            ' or exists (select from memory.atom as a where a.object_entity_id = entity.entity_id))',
        'name_content', 'exists (select from memory.entity as e where e.entity_id = name_content.entity_id)',
        'secret', v_own_tenant || ' and exists (select from memory.secret_use as u where u.secret_id = secret.secret_id)',
        'predicate',
            'tenant_id is null or tenant_id = any ((select memory.readable_tenants())::int[])',
        'predicate_version',
            'exists (select from memory.predicate as p where p.predicate_id = predicate_version.predicate_id)',
        'extractor', 'true',
        -- whole answers of a model, with what a restriction or a finer audience hides in atoms
        'extraction_content',
            'exists (select from memory.extraction as x'
            ' where x.extraction_id = extraction_content.extraction_id'
            ' and x.tenant_id = any ((select memory.governed_tenants())::int[]))',
        'restriction', 'tenant_id = any ((select memory.governed_tenants())::int[])',
        'quarantine', 'tenant_id = any ((select memory.governed_tenants())::int[])',
        'quarantine_content',
            'exists (select from memory.quarantine as q where q.quarantine_id = quarantine_content.quarantine_id)',
        'snapshot',
            '(login = session_user or tenant_id = any ((select memory.governed_tenants())::int[]))',
        'snapshot_content',
            'exists (select from memory.snapshot as s where s.snapshot_id = snapshot_content.snapshot_id)',
        'snapshot_item',
            'exists (select from memory.snapshot as s where s.snapshot_id = snapshot_item.snapshot_id)',
        'snapshot_request',
            'login = session_user or tenant_id = any ((select memory.governed_tenants())::int[])',
        'snapshot_request_content',
            'exists (select from memory.snapshot_request as r'
            ' where r.request_id = snapshot_request_content.request_id)',
        'export', 'exists (select from memory.snapshot as s where s.snapshot_id = export.snapshot_id)',
        'export_content',
            'exists (select from memory.export as x where x.export_id = export_content.export_id)'
    );
    v_restrictive constant jsonb := jsonb_build_object(
        'atom', '{atom_id}', 'atom_content', '{atom_id}', 'evidence', '{statement_id}',
        'reason_content', '{statement_id}', 'derivation', '{parent_id,child_id}',
        'label', '{atom_id}', 'snapshot', '{snapshot_id}', 'snapshot_content', '{snapshot_id}',
        'snapshot_item', '{item_id}'
    );
begin
    for v_table in
        select c.oid, n.nspname as schema, c.relname as name, c.relispartition,
            coalesce(pp.relname, c.relname) as root,
            split_part(obj_description(c.oid, 'pg_class'), ':', 1) as kind,
            exists (
                select from pg_attribute
                where attrelid = c.oid and attname = 'audience_id' and not attisdropped
            ) as has_audience,
            exists (
                select from pg_attribute
                where attrelid = c.oid and attname = 'state' and not attisdropped
            ) as has_state
        from pg_class as c
        join pg_namespace as n on n.oid = c.relnamespace
        left join pg_inherits as i on i.inhrelid = c.oid
        left join pg_class as pp on pp.oid = i.inhparent
        where n.nspname in ('memory', 'derived') and c.relkind in ('r', 'p')
    loop
        if v_table.kind is null or v_table.kind not in ('ledger', 'content', 'work', 'derived') then
            raise exception 'table %.% does not say which kind it is', v_table.schema, v_table.name;
        end if;

        if v_table.kind in ('ledger', 'content') then
            execute format(
                'create or replace trigger append_only before update or delete or truncate '
                'on %I.%I for each statement execute function memory.refuse_change(%L)',
                v_table.schema, v_table.name, v_table.kind);
        elsif v_table.kind = 'work' then
            execute format(
                'create or replace trigger kept before delete or truncate '
                'on %I.%I for each statement execute function memory.refuse_change(%L)',
                v_table.schema, v_table.name, 'content');
            if v_table.has_state then
                execute format(
                    'create or replace trigger forward before update on %I.%I '
                    'for each row execute function memory.refuse_backward()', v_table.schema, v_table.name);
            end if;
        end if;

        if v_table.kind in ('content', 'derived') then
            for v_column in
                select a.attname
                from pg_attribute as a
                where a.attrelid = v_table.oid and a.attnum > 0 and not a.attisdropped
                    and a.attstattarget is distinct from 0
                    and a.atttypid::regtype::text in
                        ('text', 'text[]', 'jsonb', 'tsvector', 'halfvec', 'vector', 'public.halfvec',
                        'public.vector', 'bytea')
            loop
                execute format('alter table %I.%I alter column %I set statistics 0',
                    v_table.schema, v_table.name, v_column.attname);
            end loop;
            if not exists (select from pg_class where oid = v_table.oid and relkind = 'p') then
                execute format('alter table %I.%I set (vacuum_index_cleanup = on)', v_table.schema, v_table.name);
            end if;
        end if;

        execute format('alter table %I.%I enable row level security', v_table.schema, v_table.name);
        execute format('alter table %I.%I force row level security', v_table.schema, v_table.name);

        v_rule := v_rules ->> v_table.root;
        if v_rule is null and v_table.has_audience then
            v_rule := case v_table.schema
                -- one that an index can take
                when 'derived' then 'audience_id = any ((select memory.readable())::int[])'
                else 'audience_id is not null'
            end;
        end if;
        if v_rule is null then
            raise exception 'table %.% has no rule for readers', v_table.schema, v_table.name;
        end if;
        v_rule := replace(v_rule, v_table.root || '.', v_table.name || '.');
        if v_table.schema = 'memory' then
            v_rule := replace(v_rule, 'memory.' || v_table.name || '.', 'memory.' || v_table.root || '.');
        end if;
        execute format('drop policy if exists reader on %I.%I', v_table.schema, v_table.name);
        execute format('create policy reader on %I.%I for select to mem_reader using (%s)',
            v_table.schema, v_table.name, v_rule);
        -- restrictive policies are asked before the others, by name; this one is the first
        execute format('drop policy if exists audience on %I.%I', v_table.schema, v_table.name);
        if v_table.has_audience then
            execute format('create policy audience on %I.%I as restrictive for select to mem_reader using (%s)',
                v_table.schema, v_table.name, v_readable);
        end if;
        execute format('drop policy if exists narrowed on %I.%I', v_table.schema, v_table.name);
        if v_restrictive ? v_table.root then
            execute format(
                'create policy narrowed on %I.%I as restrictive for select to mem_reader using (%s)',
                v_table.schema, v_table.name, (
                    select string_agg(format(
                        '(%1$I is null or %1$I <> all ((select memory.%2$I())::uuid[]))', name,
                        case name when 'snapshot_id' then 'hidden_snapshots' else 'hidden_atoms' end),
                        ' and ')
                    from unnest((v_restrictive ->> v_table.root)::text[]) as name));
        end if;

        foreach v_name in array array['mem_ingest', 'mem_builder', 'mem_owner', 'mem_shredder'] loop
            execute format('drop policy if exists %I on %I.%I', v_name || '_all', v_table.schema, v_table.name);
            execute format('create policy %I on %I.%I for all to %I using (true) with check (true)',
                v_name || '_all', v_table.schema, v_table.name, v_name);
        end loop;
        foreach v_name in array array['mem_verifier', 'mem_eraser'] loop
            execute format('drop policy if exists %I on %I.%I', v_name || '_select', v_table.schema, v_table.name);
            execute format('create policy %I on %I.%I for select to %I using (true)',
                v_name || '_select', v_table.schema, v_table.name, v_name);
        end loop;
        execute format('drop policy if exists mem_auditor_select on %I.%I', v_table.schema, v_table.name);
        if v_table.root in ('batch', 'tombstone', 'log_file', 'tenant') then
            execute format('create policy mem_auditor_select on %I.%I for select to mem_auditor using (true)',
                v_table.schema, v_table.name);
            execute format('grant select on %I.%I to mem_auditor', v_table.schema, v_table.name);
        end if;

        execute format(
            'grant select on %I.%I to mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser, mem_backup',
            v_table.schema, v_table.name);
        if v_table.kind in ('ledger', 'content') and v_table.root not in ('batch', 'access_grant', 'tombstone') then
            execute format('grant insert on %I.%I to mem_ingest', v_table.schema, v_table.name);
        end if;
        if v_table.root in ('snapshot', 'snapshot_item', 'snapshot_content', 'export', 'export_content') then
            execute format('grant insert on %I.%I to mem_builder', v_table.schema, v_table.name);
        end if;
        if v_table.kind = 'work' then
            execute format('grant insert, update on %I.%I to mem_ingest, mem_builder', v_table.schema, v_table.name);
        end if;
        if v_table.kind = 'derived' then
            execute format('grant insert, update, delete, truncate on %I.%I to mem_builder', v_table.schema, v_table.name);
        end if;
        if v_table.kind = 'content' or v_table.kind = 'work' then
            execute format('grant select, update, delete on %I.%I to mem_shredder', v_table.schema, v_table.name);
        else
            execute format('grant select on %I.%I to mem_shredder', v_table.schema, v_table.name);
        end if;
    end loop;
end
$$;

grant usage on schema memory, derived to
    mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser, mem_auditor, mem_shredder, mem_backup;
grant create on schema derived to mem_builder;

revoke execute on all functions in schema memory from public;
grant execute on function
    memory.readable_tenants(), memory.governed_tenants(), memory.readable(), memory.readable_sets(),
    memory.hidden_atoms(), memory.hidden_snapshots()
to mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser, mem_auditor;
grant execute on function memory.batch_at(timestamptz)
to mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser, mem_auditor;
grant execute on function memory.close_batch(uuid, int, text) to mem_ingest, mem_builder;
alter default privileges in schema memory revoke execute on functions from public;
