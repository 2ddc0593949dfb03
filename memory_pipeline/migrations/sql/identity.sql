-- Who is whom, with what joins and splits taught: one function groups entities and says which joins
-- it skipped, and those go before a person. The rules in words, and their oracle in Python:
-- memory_pipeline/bitemporal/identity.py.

create index on memory.same_as (tenant_id) where not is_same;

-- Everyone who is or ever was said to be one with some entities.
create function memory.reached_entities(p_entities uuid[], p_batch_no bigint) returns uuid[]
language sql stable set search_path = pg_catalog, pg_temp
as $$
    with recursive
    reached (entity_id) as (
        select unnest(p_entities)
        union
        select case when j.left_id = r.entity_id then j.right_id else j.left_id end
        from reached as r
        join memory.same_as as j on j.left_id = r.entity_id or j.right_id = r.entity_id
        where j.is_same and (p_batch_no is null or j.batch_id in (
            select b.batch_id from memory.batch as b where b.batch_no <= p_batch_no
        ))
    )
    select array_agg(entity_id order by entity_id) from reached
$$;

-- Groups some entities by the joins among them that this reader may see: for each the place of the
-- first of its group, and the joins that were skipped.
create function memory.grouped(
    p_entities uuid[], p_batch_no bigint, out places int[], out skipped uuid[]
)
language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
    v_pair record;
    v_left int[] := '{}';
    v_right int[] := '{}';
    v_one int;
    v_other int;
    v_a int;
    v_b int;
    v_is_apart boolean;
begin
    skipped := '{}';
    select array_agg(n order by n) into places
    from generate_series(1, cardinality(p_entities)) as n;
    for v_pair in
        with
        counting as (
            select distinct on (least(j.left_id, j.right_id), greatest(j.left_id, j.right_id))
                j.same_as_id, j.left_id, j.right_id, j.is_same, j.told_at, j.statement_hash
            from memory.same_as as j
            where j.left_id = any (p_entities) and j.right_id = any (p_entities)
                and (p_batch_no is null or exists (
                    select from memory.batch as b
                    where b.batch_id = j.batch_id and b.batch_no <= p_batch_no
                ))
                and not exists (
                    select from memory.withdrawal as w
                    where w.statement_id = j.same_as_id and (p_batch_no is null or exists (
                        select from memory.batch as b
                        where b.batch_id = w.batch_id and b.batch_no <= p_batch_no
                    ))
                )
            order by least(j.left_id, j.right_id), greatest(j.left_id, j.right_id),
                j.told_at desc nulls last, j.statement_hash desc
        )
        select c.same_as_id, c.is_same, array_position(p_entities, c.left_id) as one,
            array_position(p_entities, c.right_id) as other
        from counting as c
        order by c.is_same, c.told_at nulls first, c.statement_hash
    loop
        if not v_pair.is_same then
            v_left := v_left || v_pair.one;
            v_right := v_right || v_pair.other;
            continue;
        end if;
        v_one := v_pair.one;
        while places[v_one] <> v_one loop
            v_one := places[v_one];
        end loop;
        v_other := v_pair.other;
        while places[v_other] <> v_other loop
            v_other := places[v_other];
        end loop;
        continue when v_one = v_other;
        v_is_apart := false;
        for i in 1 .. cardinality(v_left) loop
            v_a := v_left[i];
            while places[v_a] <> v_a loop
                v_a := places[v_a];
            end loop;
            v_b := v_right[i];
            while places[v_b] <> v_b loop
                v_b := places[v_b];
            end loop;
            if (v_a = v_one and v_b = v_other) or (v_a = v_other and v_b = v_one) then
                v_is_apart := true;
                exit;
            end if;
        end loop;
        if v_is_apart then
            skipped := skipped || v_pair.same_as_id;
        else
            places[greatest(v_one, v_other)] := least(v_one, v_other);
        end if;
    end loop;
    -- a place points at an earlier one, whose own is final by then
    for i in 1 .. coalesce(cardinality(places), 0) loop
        places[i] := places[places[i]];
    end loop;
end
$$;

-- All entities that are one with those given, by the joins that this reader may see.
create or replace function memory.component(p_entities uuid[], p_batch_no bigint default null)
returns uuid[]
language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
    v_reached constant uuid[] := memory.reached_entities(p_entities, p_batch_no);
    v_places int[];
begin
    if not exists (
        select from memory.same_as as j
        where not j.is_same and j.left_id = any (v_reached) and j.right_id = any (v_reached)
    ) and not exists (
        select from memory.same_as as j
        join memory.withdrawal as w on w.statement_id = j.same_as_id
        where j.left_id = any (v_reached)
    ) then
        return v_reached;
    end if;
    v_places := (memory.grouped(v_reached, p_batch_no)).places;
    return array(
        select g.entity_id
        from unnest(v_reached, v_places) as g (entity_id, place)
        where g.place in (
            select o.place from unnest(v_reached, v_places) as o (entity_id, place)
            where o.entity_id = any (p_entities)
        )
        order by g.entity_id
    );
end
$$;

-- A join that is skipped goes before a person: one item for a pair, for who may see all joins of
-- those whom it is about. Asked of every insert, by whatever way it comes.
create function memory.list_skipped_joins() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
    v_added record;
    v_reached uuid[];
    v_join record;
    v_key bytea;
    v_names text[];
    v_audience_id int;
    v_review_id uuid;
begin
    for v_added in
        select a.tenant_id, min(a.batch_id::text)::uuid as batch_id, a.left_id
        from added as a
        where exists (
            select from memory.same_as as j where j.tenant_id = a.tenant_id and not j.is_same
        )
        group by a.tenant_id, a.left_id
    loop
        v_reached := memory.reached_entities(array[v_added.left_id], null);
        for v_join in
            select j.same_as_id, j.left_id, j.right_id
            from memory.same_as as j
            where j.same_as_id = any ((memory.grouped(v_reached, null)).skipped)
        loop
            v_key := uuid_send(least(v_join.left_id, v_join.right_id))
                || uuid_send(greatest(v_join.left_id, v_join.right_id));
            -- who lists the same pair in another session need not be waited for
            continue when exists (
                select from memory.review as r
                where r.tenant_id = v_added.tenant_id and r.kind = 'skipped_join'
                    and r.item_key = v_key
            ) or not pg_try_advisory_xact_lock(hashtextextended('memory.skipped ' || v_key::text, 0));
            v_names := array(
                select distinct n
                from memory.same_as as j
                join memory.audience as u using (audience_id)
                cross join lateral unnest(u.names) as n
                where j.left_id = any (v_reached) and j.right_id = any (v_reached)
                order by n
            );
            insert into memory.audience (tenant_id, names)
            select v_added.tenant_id, v_names
            where not exists (
                select from memory.audience as u
                where u.tenant_id = v_added.tenant_id and u.names = v_names
            )
            on conflict do nothing;
            select u.audience_id into v_audience_id
            from memory.audience as u
            where u.tenant_id = v_added.tenant_id and u.names = v_names;
            insert into memory.review (
                review_id, tenant_id, audience_id, batch_id, kind, item_key
            )
            values (
                gen_random_uuid(), v_added.tenant_id, v_audience_id, v_added.batch_id,
                'skipped_join', v_key
            )
            on conflict do nothing
            returning review_id into v_review_id;
            continue when v_review_id is null;
            insert into memory.review_content (review_id, audience_id, item)
            values (v_review_id, v_audience_id, jsonb_build_object(
                'same_as_id', v_join.same_as_id, 'left_id', v_join.left_id,
                'right_id', v_join.right_id
            ));
        end loop;
    end loop;
    return null;
end
$$;

create trigger skipped after insert on memory.same_as
referencing new table as added
for each statement execute function memory.list_skipped_joins();

revoke execute on function
    memory.reached_entities(uuid[], bigint), memory.grouped(uuid[], bigint), memory.list_skipped_joins()
from public;
grant execute on function
    memory.reached_entities(uuid[], bigint), memory.grouped(uuid[], bigint)
to mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser;

-- A message that comes a second time for other readers: whichever copy came first, a reader must hold
-- the audiences of all. The first copy's stands in the message's row, every further one here; it acts
-- on every clock, as a restriction does, since widening takes a human's word.
create table memory.message_restriction (
    message_id uuid not null references memory.message,
    audience_id int not null references memory.audience,
    tenant_id int not null references memory.tenant,
    batch_id uuid not null,
    primary key (message_id, audience_id)
);
comment on table memory.message_restriction is
    'ledger: audiences of further copies of a message; a reader must hold them all, on every clock';
create index on memory.message_restriction (tenant_id);
create index on memory.message_restriction (batch_id);

select memory.install_rules();

-- Items that a later restriction takes from this reader: atoms, messages that came for others, too,
-- and whatever was drawn from these. Of what it never could read it says nothing.
create or replace function memory.restricted_atoms() returns uuid[]
language sql stable security definer parallel safe set search_path = pg_catalog, pg_temp
as $$
    select coalesce(array_agg(distinct hidden.item_id), '{}')
    from (
        select r.atom_id as item_id
        from memory.restriction as r
        join memory.atom as a using (atom_id)
        where r.tenant_id = any ((select memory.readable_tenants())::int[])
            and r.audience_id <> all ((select memory.readable())::int[])
            and a.audience_id = any ((select memory.readable())::int[])
        union all
        select drawn.item_id
        from memory.message_restriction as r
        join memory.message as m using (message_id)
        cross join lateral (
            select m.message_id as item_id
            union all
            select e.statement_id from memory.evidence as e where e.message_id = m.message_id
            union all
            select a.atom_id from memory.atom as a where a.message_id = m.message_id
            union all
            select c.closure_id from memory.closure as c where c.message_id = m.message_id
        ) as drawn
        where r.tenant_id = any ((select memory.readable_tenants())::int[])
            and r.audience_id <> all ((select memory.readable())::int[])
            and m.audience_id = any ((select memory.readable())::int[])
    ) as hidden
$$;

-- The same as most policies ask it: where nothing is restricted, it costs two looks.
create or replace function memory.hidden_atoms() returns uuid[]
language sql stable security definer parallel safe set search_path = pg_catalog, pg_temp
as $$
    select case
        when exists (
            select from memory.restriction
            where tenant_id = any ((select memory.readable_tenants())::int[])
        ) or exists (
            select from memory.message_restriction
            where tenant_id = any ((select memory.readable_tenants())::int[])
        ) then memory.restricted_atoms()
        else '{}'
    end
$$;
revoke execute on function memory.restricted_atoms() from public;

do $$
declare
    v_table record;
begin
    for v_table in
        select c.relname as name, k.key
        from pg_class as c
        left join pg_inherits as i on i.inhrelid = c.oid
        left join pg_class as pp on pp.oid = i.inhparent
        join (values
            ('message', 'message_id'), ('message_content', 'message_id'),
            ('secret_use', 'message_id'), ('label', 'message_id'),
            ('closure', 'closure_id'), ('closure_content', 'closure_id')
        ) as k (root, key) on k.root = coalesce(pp.relname, c.relname)
        where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p')
    loop
        execute format(
            'create policy copies on memory.%I as restrictive for select to mem_reader '
            'using (%I is null or %I <> all ((select memory.hidden_atoms())::uuid[]))',
            v_table.name, v_table.key, v_table.key);
    end loop;
end
$$;
