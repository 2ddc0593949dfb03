-- What the dbt project stands on. Like schema derived, its schemas are the owner's and filled by
-- mem_builder; a function makes them, so that a rebuild may come after somebody dropped them.

create function memory.create_dbt_schemas() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_name name;
begin
    perform pg_advisory_xact_lock(hashtextextended('memory.create_dbt_schemas', 0));
    foreach v_name in array array['staging', 'intermediate', 'marts'] loop
        if to_regnamespace(v_name) is null then
            execute format('create schema %I', v_name);
            execute format('grant usage, create on schema %I to mem_builder', v_name);
            execute format(
                'grant usage on schema %I to mem_reader, mem_verifier, mem_eraser, mem_backup', v_name);
        end if;
    end loop;
end
$$;

-- Rights and policies of one relation that dbt built; its owner calls it in the transaction that
-- made the relation. A materialised relation is resolved over a whole tenant: it is read by logins
-- that are granted all audiences of it. One that knows no tenant has no readers. Does nothing to a
-- relation that is protected already.
create function memory.protect_mart(p_relation regclass) returns void
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
    v_kind "char";
    v_is_protected boolean;
    v_has_tenant boolean;
    v_owner name;
    v_role name;
begin
    select c.relkind,
        c.relforcerowsecurity or coalesce('security_invoker=true' = any (c.reloptions), false),
        exists (
            select from pg_attribute
            where attrelid = c.oid and attname = 'tenant_id' and not attisdropped
        ),
        pg_get_userbyid(n.nspowner)
    into strict v_kind, v_is_protected, v_has_tenant, v_owner
    from pg_class as c
    cross join pg_namespace as n
    where c.oid = p_relation and n.nspname = 'memory';

    if v_kind = 'v' then
        if not v_is_protected then
            execute format('alter view %s set (security_invoker = true)', p_relation);
        end if;
    elsif v_kind <> 'r' then
        raise exception '% is neither a table nor a view: its readers cannot be told apart', p_relation;
    elsif not v_is_protected then
        execute format('alter table %s enable row level security', p_relation);
        execute format('alter table %s force row level security', p_relation);
        execute format(
            'create policy mem_builder_all on %s for all to mem_builder using (true) with check (true)',
            p_relation);
        foreach v_role in array array['mem_verifier', 'mem_eraser', v_owner] loop
            execute format('create policy %I on %s for select to %I using (true)',
                v_role || '_select', p_relation, v_role);
        end loop;
        if v_has_tenant then
            execute format(
                'create policy reader on %s for select to mem_reader '
                'using (tenant_id = any ((select memory.governed_tenants())::int[]))', p_relation);
        end if;
    end if;
    if not has_table_privilege('mem_reader', p_relation, 'select') then
        execute format('grant select on %s to mem_reader, mem_verifier, mem_eraser, mem_backup, %I',
            p_relation, v_owner);
    end if;
end
$$;

-- The canonical subject of each of some entities: the smallest id of those that are one with it.
-- A component is computed once, however many of its entities are asked for.
create function memory.subjects_of(p_entities uuid[])
returns table (entity_id uuid, subject_id uuid)
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
    v_entity uuid;
    v_component uuid[];
begin
    create temporary table if not exists subject_found (
        entity_id uuid primary key, subject_id uuid not null
    ) on commit drop;
    truncate pg_temp.subject_found;
    for v_entity in
        select e from unnest(p_entities) as e
        where exists (select from memory.same_as as j where j.left_id = e)
            or exists (select from memory.same_as as j where j.right_id = e)
    loop
        continue when exists (select from pg_temp.subject_found as f where f.entity_id = v_entity);
        v_component := memory.component(array[v_entity]);
        insert into pg_temp.subject_found
        select member, v_component[1] from unnest(v_component) as member;
    end loop;
    return query
        select e, coalesce(f.subject_id, e)
        from unnest(p_entities) as e
        left join pg_temp.subject_found as f on f.entity_id = e;
end
$$;

-- A refresh finds what is new by batch.
create index on memory.entity (batch_id);
create index on memory.same_as (batch_id);
create index on memory.tombstone (batch_id);

revoke execute on function
    memory.create_dbt_schemas(), memory.protect_mart(regclass), memory.subjects_of(uuid[])
from public;
grant execute on function
    memory.create_dbt_schemas(), memory.protect_mart(regclass), memory.subjects_of(uuid[])
to mem_builder;

select memory.create_dbt_schemas();
