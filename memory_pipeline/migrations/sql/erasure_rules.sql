-- The rules anew: fences, and the tables that only the eraser writes.

-- Items of this reader's audiences that some requests have fenced and not yet erased.
create function memory.items_fenced_by(p_requests uuid[]) returns uuid[]
language sql stable security definer parallel safe set search_path = pg_catalog, pg_temp
as $$
    select coalesce(array_agg(distinct i.item_id), '{}')
    from memory.erasure_request as r
    join memory.erasure_item as i using (request_id)
    where r.request_id = any (p_requests)
        and (r.state < 'erased' and i.action in ('hide', 'redact', 'erase')
            or i.kind in ('snapshot', 'export') and i.action <> 'keep')
        and (i.item_audience_id is null or i.item_audience_id = any ((select memory.readable())::int[]))
$$;

-- The same for all requests under way in the reader's tenants; one look where there is none.
create function memory.fenced_items() returns uuid[]
language sql stable security definer parallel safe set search_path = pg_catalog, pg_temp
as $$
    select case when array_agg(r.request_id) is null then '{}'
        else memory.items_fenced_by(array_agg(r.request_id)) end
    from memory.erasure_request as r
    where r.state > 'received' and r.state < 'certified'
        and r.tenant_id = any ((select memory.readable_tenants())::int[])
$$;

-- Everything that writes begins here: it waits while a fence is set or content is erased, and hears
-- the epoch; what was read under an older epoch must be read again.
create function memory.enter(p_tenant_id int) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform pg_advisory_xact_lock_shared(hashtext('memory.erasure'), p_tenant_id);
    return (select coalesce(max(epoch), 0) from memory.erasure_epoch where tenant_id = p_tenant_id);
end
$$;

-- The eraser's side: alone until the transaction's end, under a new epoch.
create function memory.enter_alone(p_tenant_id int, p_request_id uuid, p_step text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_epoch bigint;
begin
    perform pg_advisory_xact_lock(hashtext('memory.erasure'), p_tenant_id);
    insert into memory.erasure_epoch (tenant_id, epoch, request_id, step)
    select p_tenant_id, coalesce(max(epoch), 0) + 1, p_request_id, p_step
    from memory.erasure_epoch where tenant_id = p_tenant_id
    returning epoch into v_epoch;
    return v_epoch;
end
$$;

create or replace function memory.install_rules() returns void
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
    v_governed_request constant text :=
        'request_id in (select r.request_id from memory.erasure_request as r'
        ' where r.tenant_id = any ((select memory.governed_tenants())::int[]))';
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
            'exists (select from memory.export as x where x.export_id = export_content.export_id)',
        'subject_export',
            v_own_tenant || ' and (login = session_user'
            ' or tenant_id = any ((select memory.governed_tenants())::int[]))',
        'subject_export_item',
            'exists (select from memory.subject_export as x where x.export_id = subject_export_item.export_id)',
        'subject_export_content',
            'exists (select from memory.subject_export as x where x.export_id = subject_export_content.export_id)',
        -- what was asked, planned and done is for those who may see the whole tenant
        'erasure_request', 'tenant_id = any ((select memory.governed_tenants())::int[])',
        'erasure_request_content', v_governed_request,
        'erasure_item', v_governed_request,
        'erasure_span', v_governed_request,
        'erasure_mention', v_governed_request,
        'erasure_mention_content',
            'exists (select from memory.erasure_mention as n where n.mention_id = erasure_mention_content.mention_id)',
        'erasure_store', v_governed_request,
        'legal_hold', 'tenant_id = any ((select memory.governed_tenants())::int[])',
        'audit_event', 'tenant_id = any ((select memory.governed_tenants())::int[])',
        'certificate', v_governed_request,
        'erasure_epoch', v_own_tenant,
        'redaction', 'exists (select from memory.message as m where m.message_id = redaction.message_id)',
        'suppression', 'tenant_id = any ((select memory.governed_tenants())::int[])',
        'suppression_key',
            'exists (select from memory.suppression as s where s.suppression_id = suppression_key.suppression_id)'
    );
    -- only the eraser writes here; requests may also be put in by ingest, as rows
    v_erasers constant text[] := '{erasure_request,erasure_request_content,erasure_item,erasure_span,'
        'erasure_mention,erasure_mention_content,erasure_store,legal_hold,erasure_epoch,redaction,'
        'suppression,suppression_key,certificate}';
    v_restrictive constant jsonb := jsonb_build_object(
        'atom', '{atom_id}', 'atom_content', '{atom_id}', 'evidence', '{statement_id}',
        'reason_content', '{statement_id}', 'derivation', '{parent_id,child_id}',
        'label', '{atom_id}', 'snapshot', '{snapshot_id}', 'snapshot_content', '{snapshot_id}',
        'snapshot_item', '{item_id}'
    );
    -- content that a request has fenced is seen by no reader, before anything of it is destroyed
    v_fenced constant jsonb := jsonb_build_object(
        'message_content', 'message_id', 'atom_content', 'atom_id', 'closure_content', 'closure_id',
        'reason_content', 'statement_id', 'extraction_content', 'extraction_id',
        'dialog_content', 'dialog_id', 'name_content', 'name_id', 'log_file_content', 'file_id',
        'snapshot', 'snapshot_id', 'snapshot_content', 'snapshot_id',
        'snapshot_request_content', 'request_id', 'export_content', 'export_id',
        'subject_export_content', 'export_id',
        'review_content', 'review_id', 'quarantine_content', 'quarantine_id'
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

        execute format('drop policy if exists fenced on %I.%I', v_table.schema, v_table.name);
        v_name := coalesce(v_fenced ->> v_table.root, (
            select 'item_id' where v_table.schema = 'derived' and exists (
                select from pg_attribute where attrelid = v_table.oid and attname = 'item_id')));
        if v_name is not null then
            execute format(
                'create policy fenced on %I.%I as restrictive for select to mem_reader '
                'using (%I <> all ((select memory.fenced_items())::uuid[]))',
                v_table.schema, v_table.name, v_name);
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
        if v_table.root in ('batch', 'tombstone', 'log_file', 'tenant', 'erasure_request', 'erasure_store',
            'erasure_epoch', 'redaction', 'legal_hold', 'audit_event', 'certificate', 'suppression',
            'suppression_key') then
            execute format('create policy mem_auditor_select on %I.%I for select to mem_auditor using (true)',
                v_table.schema, v_table.name);
            execute format('grant select on %I.%I to mem_auditor', v_table.schema, v_table.name);
        end if;

        execute format(
            'grant select on %I.%I to mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser, mem_backup',
            v_table.schema, v_table.name);
        if v_table.root = any (v_erasers) then
            execute format('grant insert on %I.%I to mem_eraser', v_table.schema, v_table.name);
            execute format('drop policy if exists mem_eraser_all on %I.%I', v_table.schema, v_table.name);
            execute format('create policy mem_eraser_all on %I.%I for all to mem_eraser using (true) with check (true)',
                v_table.schema, v_table.name);
            if v_table.kind = 'work' then
                execute format('grant update on %I.%I to mem_eraser', v_table.schema, v_table.name);
            end if;
        elsif v_table.kind in ('ledger', 'content') and v_table.root not in ('batch', 'access_grant', 'tombstone', 'audit_event') then
            execute format('grant insert on %I.%I to mem_ingest', v_table.schema, v_table.name);
        end if;
        -- vacuum and rewrite what held erased rows
        execute format('grant maintain on %I.%I to mem_eraser', v_table.schema, v_table.name);
        if v_table.root in ('snapshot', 'snapshot_item', 'snapshot_content', 'export', 'export_content') then
            execute format('grant insert on %I.%I to mem_builder', v_table.schema, v_table.name);
        end if;
        if v_table.kind = 'work' and v_table.root <> all (v_erasers) then
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

select memory.install_rules();
grant insert on memory.erasure_request, memory.erasure_request_content to mem_ingest;
grant insert on memory.tombstone, memory.redaction to mem_shredder;
revoke execute on function memory.fenced_items(), memory.items_fenced_by(uuid[]), memory.enter(int),
    memory.enter_alone(int, uuid, text), memory.install_rules() from public;
grant execute on function memory.fenced_items()
to mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser, mem_auditor;
grant execute on function memory.enter(int) to mem_ingest, mem_builder, mem_eraser;
grant execute on function memory.enter_alone(int, uuid, text) to mem_eraser;
grant execute on function memory.close_batch(uuid, int, text) to mem_eraser;
