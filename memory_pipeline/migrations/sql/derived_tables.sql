-- Derived tables of vectors and full text, made by functions, so that a rebuild may come after
-- somebody dropped the whole schema. They are the owner's: only the owner may give them policies.

-- Russian and English in one document: the configuration stems Cyrillic words as Russian and
-- Latin ones as English. Very long texts are indexed by their beginning (a tsvector holds 1 MB).
create function memory.search_document(p_text text) returns tsvector
language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
    select to_tsvector('pg_catalog.russian', translate(left(p_text, 200000), 'ёЁ', 'еЕ'))
$$;

-- Any of the words; how many match, and how often, is the rank's business.
create function memory.search_query(p_text text) returns tsquery
language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
    select replace(
        plainto_tsquery('pg_catalog.russian', translate(left(p_text, 20000), 'ёЁ', 'еЕ'))::text,
        ''' & ''', ''' | ''')::tsquery
$$;

-- Makes the table of one model and dimension if it is missing. Its rules are those that
-- install_rules gave to the full text; calling that here would wait for every open transaction.
create function memory.create_vector_table(p_table name, p_dim int) returns void
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
    r record;
begin
    if to_regclass(format('derived.%I', p_table)) is not null then
        return;
    end if;
    execute format(
        'create table derived.%I ('
        'item_id uuid primary key, is_atom boolean not null, tenant_id int not null, '
        'audience_id int not null, owner_id uuid not null, text_hash bytea not null, '
        'embedding public.halfvec(%s) not null)', p_table, p_dim);
    execute format(
        'comment on table derived.%I is ''derived: vectors of messages (owner: dialog) and atoms '
        '(owner: subject)''', p_table);
    -- a vector in a side table would be a second place to scrub, and slower to compare
    execute format('alter table derived.%I alter column embedding set storage plain', p_table);
    execute format(
        'alter table derived.%I alter column embedding set statistics 0, '
        'alter column text_hash set statistics 0', p_table);
    execute format(
        'create index on derived.%I using hnsw (embedding public.halfvec_cosine_ops)', p_table);
    execute format('create index on derived.%I (audience_id, tenant_id)', p_table);
    execute format('create index on derived.%I (owner_id)', p_table);
    -- a hash index keeps 32 bits of the text's hash, a b-tree would keep all of it
    execute format('create index on derived.%I using hash (text_hash)', p_table);
    execute format('alter table derived.%I set (vacuum_index_cleanup = on)', p_table);
    execute format('alter table derived.%I enable row level security', p_table);
    execute format('alter table derived.%I force row level security', p_table);
    for r in
        select policyname, permissive, cmd, qual, with_check,
            (select string_agg(quote_ident(role), ', ') from unnest(roles) as role) as roles
        from pg_policies
        where schemaname = 'derived' and tablename = 'full_text'
    loop
        execute format('create policy %I on derived.%I as %s for %s to %s using (%s)',
            r.policyname, p_table, r.permissive, r.cmd, r.roles, r.qual)
            || coalesce(' with check (' || r.with_check || ')', '');
    end loop;
    for r in
        select acl.privilege_type, acl.grantee::regrole as role
        from pg_class as c
        cross join lateral aclexplode(c.relacl) as acl
        where c.oid = 'derived.full_text'::regclass and acl.grantee <> c.relowner
    loop
        execute format('grant %s on derived.%I to %s', r.privilege_type, p_table, r.role);
    end loop;
end
$$;

-- Makes what is missing of schema derived, with its rules. Safe to call at any time.
create function memory.create_derived() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_is_new boolean := false;
    v_model record;
begin
    perform pg_advisory_xact_lock(hashtextextended('memory.create_derived', 0));
    if to_regnamespace('derived') is null then
        create schema derived;
        grant usage on schema derived to
            mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser, mem_auditor,
            mem_shredder, mem_backup;
        grant create on schema derived to mem_builder;
    end if;
    if to_regclass('derived.model') is null then
        v_is_new := true;
        create table derived.model (
            table_name name primary key,
            name text not null,
            version text not null,
            dim int not null check (dim between 1 and 4000),
            calibration jsonb not null,
            audience_id int,
            unique (name, dim)
        );
        comment on table derived.model is
            'derived: embedding models with their tables and calibrations; no audience, no reader';
    end if;
    if to_regclass('derived.index_state') is null then
        v_is_new := true;
        create table derived.index_state (
            index_name text primary key,
            model text,
            batch_no bigint not null,
            refreshed_at timestamptz not null default clock_timestamp(),
            audience_id int
        );
        comment on table derived.index_state is
            'derived: the last batch that each index holds; no audience, no reader';
    end if;
    if to_regclass('derived.full_text') is null then
        v_is_new := true;
        create table derived.full_text (
            item_id uuid primary key,
            is_atom boolean not null,
            tenant_id int not null,
            audience_id int not null,
            owner_id uuid not null,
            lang text not null,
            text_hash bytea not null,
            document tsvector not null
        );
        comment on table derived.full_text is
            'derived: words of messages (owner: dialog) and atoms (owner: subject)';
        create index on derived.full_text using gin (document) with (fastupdate = off);
        create index on derived.full_text (audience_id, tenant_id);
        create index on derived.full_text (owner_id);
    end if;
    if v_is_new then
        perform memory.install_rules();
        -- what a later restriction hides is hidden here too
        drop policy if exists restricted on derived.full_text;
        create policy restricted on derived.full_text as restrictive for select to mem_reader
            using (item_id <> all ((select memory.hidden_atoms())::uuid[]));
    end if;
    for v_model in select table_name, dim from derived.model loop
        perform memory.create_vector_table(v_model.table_name, v_model.dim);
    end loop;
end
$$;

-- Registers an embedding model and makes its table; returns the table's name. A registered
-- model's version changes only together with its vectors, in rebuild.
create function memory.register_model(
    p_table name, p_name text, p_version text, p_dim int, p_calibration jsonb
) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform memory.create_derived();
    if p_table !~ '^vector_[a-z0-9_]+_[0-9]+$' then
        raise exception 'a table of vectors is named vector_<model>_<dimension>'
            using errcode = 'invalid_name';
    end if;
    insert into derived.model (table_name, name, version, dim, calibration)
    values (p_table, p_name, p_version, p_dim, p_calibration)
    on conflict (table_name) do nothing;
    perform memory.create_derived();
end
$$;

select memory.create_derived();

-- A rebuild fills a table beside the one in use and swaps them at its end.
create function memory.start_vector_rebuild(p_table name) returns name
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_next constant name := p_table || '_next';
begin
    execute format('drop table if exists derived.%I', v_next);
    perform memory.create_vector_table(
        v_next, (select dim from derived.model where table_name = p_table));
    return v_next;
end
$$;

create function memory.finish_vector_rebuild(p_table name, p_version text, p_calibration jsonb)
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (select from derived.model where table_name = p_table) then
        raise exception 'no model has the table derived.%', p_table
            using errcode = 'undefined_object';
    end if;
    execute format('drop table derived.%I', p_table);
    execute format('alter table derived.%I rename to %I', p_table || '_next', p_table);
    update derived.model set version = p_version, calibration = p_calibration
    where table_name = p_table;
end
$$;

-- Full text for readers. Row-level security keeps the planner from the index, since the match
-- operator is not leakproof, so the filter that the policies would add stands here.
create function memory.search_text(
    p_query text, p_k int, p_tenant_id int, p_is_atom boolean, p_owner_id uuid
) returns table (item_id uuid, is_atom boolean, rank real)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
    select t.item_id, t.is_atom, ts_rank(t.document, q.query, 1) as rank
    from derived.full_text as t
    cross join (select memory.search_query(p_query) as query) as q
    where t.document @@ q.query
        and t.audience_id = any ((select memory.readable())::int[])
        and t.item_id <> all ((select memory.hidden_atoms())::uuid[])
        and (p_tenant_id is null or t.tenant_id = p_tenant_id)
        and (p_is_atom is null or t.is_atom = p_is_atom)
        and (p_owner_id is null or t.owner_id = p_owner_id)
    order by rank desc, t.item_id
    limit p_k
$$;

revoke execute on function
    memory.create_vector_table(name, int), memory.create_derived(),
    memory.register_model(name, text, text, int, jsonb),
    memory.start_vector_rebuild(name), memory.finish_vector_rebuild(name, text, jsonb),
    memory.search_text(text, int, int, boolean, uuid)
from public;
grant execute on function memory.search_document(text), memory.search_query(text)
to mem_reader, mem_builder, mem_verifier, mem_eraser;
grant execute on function
    memory.create_derived(), memory.register_model(name, text, text, int, jsonb),
    memory.start_vector_rebuild(name), memory.finish_vector_rebuild(name, text, jsonb)
to mem_builder;
grant execute on function memory.search_text(text, int, int, boolean, uuid)
to mem_reader, mem_builder, mem_verifier, mem_eraser;
