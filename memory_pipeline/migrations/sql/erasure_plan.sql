-- Planning: what a request reaches, set-based. All functions run with the rights of mem_eraser, who
-- reads everything and writes the plan. A request's scope holds ids, tags and times, and every
-- condition given in it must hold:
-- {whole_tenant, entity_id, dialog_id, message_id, file_id, atom_id, atom_ids, tags, predicate_ids, told_from, told_to}

-- A tag's statements are found by predicate, a message's review and a dialog's speakers by theirs.
create index on memory.atom (predicate_id);
create index on memory.closure (predicate_id);
create index on memory.review (message_id) where message_id is not null;
create index on memory.entity (dialog_id) where dialog_id is not null;

-- Suppressions that count: a request that was taken back suppresses nothing. A restored database may
-- have a suppression without its request, which counts.
create view memory.suppression_in_force with (security_invoker = true) as
select s.*
from memory.suppression as s
where not exists (
    select from memory.erasure_request as r where r.request_id = s.request_id and r.state = 'cancelled'
);
comment on view memory.suppression_in_force is 'suppressions of requests that were not taken back';

-- Whether something told at a moment (null: from the beginning) lies in [from, to).
create function memory.is_told_in(p_told_at timestamptz, p_from timestamptz, p_to timestamptz)
returns boolean
language sql immutable parallel safe
return (p_from is null or coalesce(p_told_at >= p_from, false))
    and (p_to is null or coalesce(p_told_at < p_to, true));

-- Before what a request's scope must have been told: what comes after the request stays, unless it
-- asks to stop learning.
create function memory.scope_told_to(p_request memory.erasure_request) returns timestamptz
language sql stable set search_path = pg_catalog, pg_temp
as $$
    select least(
        (p_request.scope ->> 'told_to')::timestamptz,
        case when not p_request.stops_learning then p_request.told_upto + interval '1 microsecond' end)
$$;

-- Everybody who is one with the scope's entity, by all that was ever recorded; null without one.
create function memory.scope_members(p_scope jsonb) returns uuid[]
language sql stable set search_path = pg_catalog, pg_temp
as $$
    select memory.component(array[(p_scope ->> 'entity_id')::uuid])
    where p_scope ->> 'entity_id' is not null
$$;

-- Predicates of the scope's names and of its tags, in whatever version; null where it has neither.
create function memory.scope_predicates(p_tenant_id int, p_scope jsonb) returns int[]
language sql stable set search_path = pg_catalog, pg_temp
as $$
    select coalesce(array_agg(p.predicate_id), '{}')
    from memory.predicate as p
    where (p.tenant_id is null or p.tenant_id = p_tenant_id)
        and (
            jsonb_array_length(coalesce(p_scope -> 'predicate_ids', '[]')) = 0
            or p_scope -> 'predicate_ids' @> to_jsonb(p.predicate_id)
        )
        and (
            jsonb_array_length(coalesce(p_scope -> 'tags', '[]')) = 0
            or exists (
                select from memory.predicate_version as v
                cross join lateral unnest(v.tags) as tag
                where v.predicate_id = p.predicate_id and p_scope -> 'tags' ? tag
            )
        )
    having jsonb_array_length(coalesce(p_scope -> 'predicate_ids', '[]')) > 0
        or jsonb_array_length(coalesce(p_scope -> 'tags', '[]')) > 0
$$;

-- Whether the scope is all that is known of a person.
create function memory.is_whole_subject(p_scope jsonb) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
    select jsonb_strip_nulls(p_scope) ? 'entity_id'
        and jsonb_strip_nulls(p_scope) - 'entity_id' - 'whole_tenant' - 'tags' - 'predicate_ids' = '{}'
        and jsonb_array_length(coalesce(p_scope -> 'tags', '[]')) = 0
        and jsonb_array_length(coalesce(p_scope -> 'predicate_ids', '[]')) = 0
$$;

-- Messages that lie in the scope's dialog, file or message (all its revisions), or in the tenant;
-- nothing where the scope names none of them.
create function memory.placed_messages(p_tenant_id int, p_scope jsonb)
returns setof memory.message
language sql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
as $$
    select m.*
    from memory.message as m
    where m.tenant_id = p_tenant_id
        and (
            p_scope ->> 'dialog_id' is not null or p_scope ->> 'file_id' is not null
            or p_scope ->> 'message_id' is not null or (p_scope ->> 'whole_tenant')::boolean
        )
        and (p_scope ->> 'dialog_id' is null or m.dialog_id = (p_scope ->> 'dialog_id')::uuid)
        and (p_scope ->> 'file_id' is null or m.file_id = (p_scope ->> 'file_id')::uuid)
        and (
            p_scope ->> 'message_id' is null
            or m.dialog_id = (
                select x.dialog_id from memory.message as x
                where x.message_id = (p_scope ->> 'message_id')::uuid)
            and m.message_key = (
                select x.message_key from memory.message as x
                where x.message_id = (p_scope ->> 'message_id')::uuid)
        )
$$;

-- Messages whose whole text goes: of a scope without tags, predicates and atom, those that lie where
-- it says and that its subject sent.
create function memory.whole_messages(p_request_id uuid)
returns table (message_id uuid, dialog_id uuid, file_id uuid, audience_id int)
language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
    v_tenant_id int;
    v_scope jsonb;
    v_members uuid[];
    v_to timestamptz;
begin
    select r.tenant_id, r.scope, memory.scope_told_to(r) into v_tenant_id, v_scope, v_to
    from memory.erasure_request as r where r.request_id = p_request_id;
    v_members := memory.scope_members(v_scope);
    if v_scope ->> 'atom_id' is not null or v_scope -> 'atom_ids' is not null
        or memory.scope_predicates(v_tenant_id, v_scope) is not null then
        return;
    end if;
    return query
    select m.message_id, m.dialog_id, m.file_id, m.audience_id
    from (
        select * from memory.placed_messages(v_tenant_id, v_scope)
        union all
        select m.* from memory.message as m
        where v_members is not null and m.speaker_id = any (v_members)
            and v_scope ->> 'dialog_id' is null and v_scope ->> 'file_id' is null
            and v_scope ->> 'message_id' is null
    ) as m
    where (v_members is null or m.speaker_id = any (v_members))
        -- of a message without any time its statements know by when it was told
        and memory.is_told_in(
            coalesce(m.edited_at, m.sent_at, (
                select max(a.told_at) from memory.atom as a where a.message_id = m.message_id)),
            (v_scope ->> 'told_from')::timestamptz, v_to);
end
$$;

-- The messages that the erased statements of a plan rest on, with those whose whole text goes.
create function memory.evidence_messages(p_request_id uuid)
returns table (message_id uuid, dialog_id uuid, file_id uuid)
language sql stable set search_path = pg_catalog, pg_temp
as $$
    select m.message_id, m.dialog_id, m.file_id
    from memory.message as m
    where m.message_id in (
        select e.message_id
        from memory.erasure_item as i
        join memory.evidence as e on e.statement_id = i.item_id
        where i.request_id = p_request_id and i.kind in ('atom', 'closure') and i.action = 'erase'
        union
        select a.message_id
        from memory.erasure_item as i
        join memory.atom as a on a.atom_id = i.item_id
        where i.request_id = p_request_id and i.kind = 'atom' and i.action = 'erase'
            and a.message_id is not null
        union
        select c.message_id
        from memory.erasure_item as i
        join memory.closure as c on c.closure_id = i.item_id
        where i.request_id = p_request_id and i.kind = 'closure' and i.action = 'erase'
            and c.message_id is not null
        union
        select w.message_id from memory.whole_messages(p_request_id) as w
    )
$$;

-- Writes what a request reaches, by derivation and place, into its items; what only reading tells
-- (mentions, spans) is discovery's. May be called again: nothing is taken out, and an action only
-- grows stricter. Returns how many items are new.
create function memory.plan_request(p_request_id uuid) returns bigint
language plpgsql set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
as $$
declare
    v_tenant_id int;
    v_scope jsonb;
    v_members uuid[];
    v_predicates int[];
    v_placed uuid[];
    v_atoms uuid[];
    v_before bigint;
    v_from timestamptz;
    v_to timestamptz;
    v_whole_subject boolean;
begin
    select r.tenant_id, r.scope, memory.scope_told_to(r) into v_tenant_id, v_scope, v_to
    from memory.erasure_request as r where r.request_id = p_request_id;
    if v_scope is null then
        raise exception 'request % has no scope yet', p_request_id
            using errcode = 'object_not_in_prerequisite_state';
    end if;
    select count(*) into v_before from memory.erasure_item as i where i.request_id = p_request_id;
    v_members := memory.scope_members(v_scope);
    v_predicates := memory.scope_predicates(v_tenant_id, v_scope);
    v_from := (v_scope ->> 'told_from')::timestamptz;
    v_whole_subject := memory.is_whole_subject(v_scope);
    if v_scope -> 'atom_ids' is not null then
        v_atoms := array(select jsonb_array_elements_text(v_scope -> 'atom_ids'))::uuid[];
    end if;
    if v_scope ->> 'dialog_id' is not null or v_scope ->> 'file_id' is not null
        or v_scope ->> 'message_id' is not null
    then
        select coalesce(array_agg(distinct s.statement_id), '{}') into v_placed
        from memory.placed_messages(v_tenant_id, v_scope) as m
        cross join lateral (
            select e.statement_id from memory.evidence as e where e.message_id = m.message_id
            union all
            select a.atom_id from memory.atom as a where a.message_id = m.message_id
            union all
            select c.closure_id from memory.closure as c where c.message_id = m.message_id
        ) as s;
    end if;

    -- statements in scope, withdrawn ones too: their content is there as well
    insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
    select p_request_id, 'atom', a.atom_id, a.audience_id, 'erase'
    from memory.atom as a
    where a.tenant_id = v_tenant_id
        and (v_scope ->> 'atom_id' is null or a.atom_id = (v_scope ->> 'atom_id')::uuid)
        and (v_atoms is null or a.atom_id = any (v_atoms))
        and (v_members is null or a.subject_id = any (v_members)
            or v_whole_subject and a.object_entity_id = any (v_members))
        and (v_predicates is null or a.predicate_id = any (v_predicates))
        and (v_placed is null or a.atom_id = any (v_placed))
        and memory.is_told_in(a.told_at, v_from, v_to)
        and not exists (select from memory.tombstone as t where t.atom_id = a.atom_id)
        and coalesce((
            select i.action <> 'erase' from memory.erasure_item as i
            where i.request_id = p_request_id and i.kind = 'atom' and i.item_id = a.atom_id), true)
    on conflict (request_id, kind, item_id) do update set action = 'erase'
    where erasure_item.action <> 'erase';

    with recursive derived (atom_id) as (
        select d.child_id
        from memory.erasure_item as i
        join memory.derivation as d on d.parent_id = i.item_id
        where i.request_id = p_request_id and i.kind = 'atom' and i.action = 'erase'
        union
        select d.child_id
        from derived
        join memory.derivation as d on d.parent_id = derived.atom_id
    )
    insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
    select p_request_id, 'atom', a.atom_id, a.audience_id, 'erase'
    from derived
    join memory.atom as a using (atom_id)
    where not exists (select from memory.tombstone as t where t.atom_id = a.atom_id)
        and coalesce((
            select i.action <> 'erase' from memory.erasure_item as i
            where i.request_id = p_request_id and i.kind = 'atom' and i.item_id = a.atom_id), true)
    on conflict (request_id, kind, item_id) do update set action = 'erase'
    where erasure_item.action <> 'erase';

    if v_scope ->> 'atom_id' is null and v_atoms is null then
        insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
        select p_request_id, 'closure', c.closure_id, c.audience_id, 'erase'
        from memory.closure as c
        where c.tenant_id = v_tenant_id
            and (v_members is null or c.subject_id = any (v_members))
            and (v_predicates is null or c.predicate_id = any (v_predicates))
            and (v_placed is null or c.closure_id = any (v_placed))
            and memory.is_told_in(c.told_at, v_from, v_to)
            and exists (select from memory.closure_content as x where x.closure_id = c.closure_id)
            and coalesce((
            select i.action <> 'erase' from memory.erasure_item as i
            where i.request_id = p_request_id and i.kind = 'closure' and i.item_id = c.closure_id), true)
        on conflict (request_id, kind, item_id) do update set action = 'erase'
        where erasure_item.action <> 'erase';
    end if;

    -- closures that name an erased value which no statement that stays names, and those of the same
    -- key that an evidence message tells
    if not coalesce((v_scope ->> 'whole_tenant')::boolean, false) then
        -- "is true" keeps a list to be looked up in a hash: joined with, it may be read once a row,
        -- as what was written a moment ago counts as nothing
        with erased as materialized (
            select a.subject_id, array_agg(a.atom_id) as atom_ids,
                array_agg(a.predicate_id) as predicate_ids, array_agg(a.object_key) as object_keys,
                case
                    when exists (
                        select from memory.same_as as j
                        where j.left_id = a.subject_id or j.right_id = a.subject_id)
                    then memory.component(array[a.subject_id])
                    else array[a.subject_id]
                end as members
            from memory.erasure_item as i
            join memory.atom as a on a.atom_id = i.item_id
            where i.request_id = p_request_id and i.kind = 'atom' and i.action = 'erase'
            group by a.subject_id
        ),
        named as materialized (
            select distinct e.members, k.predicate_id, k.object_key
            from erased as e
            cross join lateral unnest(e.predicate_ids, e.object_keys) as k (predicate_id, object_key)
        ),
        near as materialized (
            select c.closure_id, c.audience_id, c.message_id, p.members, c.predicate_id, c.object_key
            from (select distinct e.members from erased as e) as p
            cross join lateral unnest(p.members) as member
            join memory.closure as c on c.subject_id = member
            where c.tenant_id = v_tenant_id
                and ((p.members, c.predicate_id) in (
                    select n.members, n.predicate_id from named as n)) is true
                and coalesce((
                    select i.action <> 'erase' from memory.erasure_item as i
                    where i.request_id = p_request_id and i.kind = 'closure'
                        and i.item_id = c.closure_id), true)
                and exists (select from memory.closure_content as x where x.closure_id = c.closure_id)
        ),
        staying as materialized (
            select distinct k.members, a.predicate_id, a.object_key
            from (
                select distinct n.members, n.predicate_id
                from near as n
                where ((n.members, n.predicate_id, n.object_key) in (
                    select e.members, e.predicate_id, e.object_key from named as e)) is true
            ) as k
            join memory.atom as a on a.subject_id = any (k.members) and a.predicate_id = k.predicate_id
            where coalesce((
                    select i.action <> 'erase' from memory.erasure_item as i
                    where i.request_id = p_request_id and i.kind = 'atom' and i.item_id = a.atom_id),
                    true)
                and not exists (select from memory.tombstone as t where t.atom_id = a.atom_id)
                and not exists (select from memory.withdrawal as w where w.statement_id = a.atom_id)
        ),
        told as materialized (
            select distinct e.members, k.predicate_id, k.object_key, v.message_id
            from erased as e
            cross join lateral unnest(e.atom_ids, e.predicate_ids, e.object_keys)
                as k (atom_id, predicate_id, object_key)
            join memory.evidence as v on v.statement_id = k.atom_id
            where (v.message_id in (select n.message_id from near as n)) is true
        )
        insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
        select distinct p_request_id, 'closure'::memory.erasure_kind, n.closure_id, n.audience_id,
            'erase'::memory.erasure_action
        from near as n
        where (n.members, n.predicate_id, n.object_key) in (
                select e.members, e.predicate_id, e.object_key from named as e)
            and (n.members, n.predicate_id, n.object_key) not in (
                select y.members, y.predicate_id, y.object_key from staying as y)
            or n.object_key is null and (n.members, n.predicate_id, n.message_id) in (
                select t.members, t.predicate_id, t.message_id from told as t)
            or (n.members, n.predicate_id, n.object_key, n.message_id) in (
                select t.members, t.predicate_id, t.object_key, t.message_id from told as t)
        on conflict (request_id, kind, item_id) do update set action = 'erase'
        where erasure_item.action <> 'erase';
    end if;

    insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
    select distinct p_request_id, 'reason'::memory.erasure_kind, r.statement_id, r.audience_id,
        'erase'::memory.erasure_action
    from memory.erasure_item as i
    join memory.reason_content as r on r.statement_id = i.item_id
    where i.request_id = p_request_id and i.kind in ('atom', 'closure') and i.action = 'erase'
    on conflict (request_id, kind, item_id) do update set action = 'erase'
    where erasure_item.action <> 'erase';

    -- what lies around the evidence is hidden until discovery has read it
    with evidence_of as materialized (select * from memory.evidence_messages(p_request_id)),
    dialogs as materialized (
        select e.dialog_id from evidence_of as e
        union
        select e.dialog_id from memory.entity as e
        where v_whole_subject and e.entity_id = any (v_members) and e.dialog_id is not null
    ),
    around as materialized (
        select m.message_id, m.audience_id from memory.message as m join dialogs using (dialog_id)
    ),
    told_of as materialized (
        select i.item_id from memory.erasure_item as i
        where i.request_id = p_request_id and i.kind = 'atom' and i.action = 'erase'
        union
        select e.message_id from evidence_of as e
    ),
    packed as materialized (
        select s.snapshot_id, s.audience_id
        from memory.snapshot as s
        join (
            select n.snapshot_id from dialogs join memory.snapshot as n using (dialog_id)
            union
            select x.snapshot_id from told_of as o join memory.snapshot_item as x using (item_id)
        ) as near using (snapshot_id)
        where s.tenant_id = v_tenant_id
    ),
    reached (kind, item_id, audience_id, action) as (
        select 'message'::memory.erasure_kind, a.message_id, a.audience_id, 'hide'::memory.erasure_action
        from around as a
        union all
        select 'dialog', d.dialog_id, null, 'hide' from dialogs as d
        union all
        -- what else was read from the same words may hold the value in its sentence
        select 'atom', a.atom_id, a.audience_id, 'hide'
        from memory.atom as a join evidence_of as e using (message_id)
        union all
        select 'extraction', x.extraction_id, x.audience_id, 'hide'
        from memory.extraction as x join around as a using (message_id)
        union all
        select 'review', r.review_id, r.audience_id, 'hide'
        from memory.review as r join around as a using (message_id)
        union all
        select 'quarantine', q.quarantine_id, null, 'erase'
        from memory.quarantine as q
        where q.tenant_id = v_tenant_id and (
            q.message_id in (select e.message_id from evidence_of as e)
            or q.file_id in (select e.file_id from evidence_of as e))
        union all
        -- of a file that brought known messages again nobody noted which
        select 'file', f.file_id, null, 'redact'
        from memory.log_file as f
        left join memory.file_read as r using (file_id)
        where f.tenant_id = v_tenant_id and exists (select from evidence_of) and (
            f.file_id in (select e.file_id from evidence_of as e)
            or r.file_id is null or r.n_known > 0)
        union all
        select 'snapshot', p.snapshot_id, p.audience_id, 'hide' from packed as p
        union all
        select 'export', x.export_id, x.audience_id, 'hide'
        from memory.export as x join packed as p using (snapshot_id)
        union all
        select 'export', x.export_id, null, 'erase'
        from memory.subject_export as x
        where x.tenant_id = v_tenant_id and x.export_id in (
            select o.export_id from told_of as n join memory.subject_export_item as o using (item_id)
            union
            select o.export_id
            from memory.erasure_item as i
            join memory.subject_export_item as o using (item_id)
            where i.request_id = p_request_id and i.kind = 'closure' and i.action = 'erase'
            union
            select o.export_id
            from memory.subject_export_item as o
            where v_whole_subject and o.item_id = any (v_members))
        union all
        select 'snapshot_request', r.request_id, r.audience_id, 'hide'
        from memory.snapshot_request as r join dialogs using (dialog_id)
        union all
        select 'name', n.name_id, null, 'erase'
        from memory.name_content as n
        where v_whole_subject and n.entity_id = any (v_members)
    )
    insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
    select p_request_id, r.kind, r.item_id, r.audience_id, r.action
    from (
        select r.kind, r.item_id, min(r.audience_id) as audience_id, max(r.action) as action
        from reached as r
        group by r.kind, r.item_id
    ) as r
    where coalesce((
        select i.action <> 'erase' and r.action = 'erase'
        from memory.erasure_item as i
        where i.request_id = p_request_id and i.kind = r.kind and i.item_id = r.item_id), true)
    on conflict (request_id, kind, item_id) do update set action = 'erase'
    where excluded.action = 'erase' and erasure_item.action <> 'erase';

    if (v_scope ->> 'whole_tenant')::boolean then
        insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
        select p_request_id, all_of.kind::memory.erasure_kind, all_of.item_id, null, 'erase'
        from (
            select 'file', file_id from memory.log_file where tenant_id = v_tenant_id
            union all
            select 'dialog', dialog_id from memory.dialog where tenant_id = v_tenant_id
            union all
            select 'name', n.name_id
            from memory.name_content as n join memory.entity as e using (entity_id)
            where e.tenant_id = v_tenant_id
            union all
            select 'quarantine', quarantine_id from memory.quarantine where tenant_id = v_tenant_id
            union all
            select 'review', review_id from memory.review where tenant_id = v_tenant_id
            union all
            select 'extraction', extraction_id from memory.extraction where tenant_id = v_tenant_id
            union all
            select 'snapshot', snapshot_id from memory.snapshot where tenant_id = v_tenant_id
            union all
            select 'snapshot_request', request_id from memory.snapshot_request
            where tenant_id = v_tenant_id
            union all
            select 'export', export_id from memory.export where tenant_id = v_tenant_id
            union all
            select 'export', export_id from memory.subject_export where tenant_id = v_tenant_id
            union all
            select 'secret', secret_id from memory.secret where tenant_id = v_tenant_id
        ) as all_of (kind, item_id)
        where coalesce((
            select i.action <> 'erase' from memory.erasure_item as i
            where i.request_id = p_request_id and i.kind = all_of.kind::memory.erasure_kind
                and i.item_id = all_of.item_id), true)
        on conflict (request_id, kind, item_id) do update set action = 'erase'
        where erasure_item.action <> 'erase';
    end if;

    return (
        select count(*) - v_before from memory.erasure_item as i where i.request_id = p_request_id);
end
$$;

-- Whether a hold stands over somebody whom the plan reaches, or over the tenant.
create function memory.is_held(p_request_id uuid) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
as $$
    select exists (
        select
        from (
            select distinct on (h.entity_id) h.entity_id, h.is_held
            from memory.legal_hold as h
            join memory.erasure_request as r on r.tenant_id = h.tenant_id
            where r.request_id = p_request_id
            order by h.entity_id, h.set_at desc, h.hold_id
        ) as h
        where h.is_held and (h.entity_id is null or exists (
            with held as (select unnest(memory.component(array[h.entity_id])) as entity_id)
            select from memory.erasure_item as i
            join memory.atom as a on a.atom_id = i.item_id
            join held on held.entity_id = a.subject_id
            where i.request_id = p_request_id and i.kind = 'atom' and i.action = 'erase'
            union all
            select from memory.erasure_item as i
            join memory.closure as c on c.closure_id = i.item_id
            join held on held.entity_id = c.subject_id
            where i.request_id = p_request_id and i.kind = 'closure' and i.action = 'erase'
            union all
            select from memory.whole_messages(p_request_id) as w
            join memory.message as m using (message_id)
            join held on held.entity_id = m.speaker_id
        ))
    )
$$;

-- A fingerprint over what a plan destroys: items and characters.
create function memory.plan_fingerprint(p_request_id uuid) returns bytea
language sql stable set search_path = pg_catalog, pg_temp
as $$
    select sha256(convert_to(coalesce(string_agg(line, e'\n' order by line), ''), 'UTF8'))
    from (
        select i.kind || ' ' || i.item_id || ' ' || i.action as line
        from memory.erasure_item as i
        where i.request_id = p_request_id and i.action in ('redact', 'erase')
        union all
        select 'span ' || s.message_id || ' ' || s.span_start || ' ' || s.span_end
        from memory.erasure_span as s where s.request_id = p_request_id
    ) as lines
$$;

-- Full text for readers, as in the derived tables, but for what is fenced.
create or replace function memory.search_text(
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
        and t.item_id <> all ((select memory.fenced_items())::uuid[])
        and (p_tenant_id is null or t.tenant_id = p_tenant_id)
        and (p_is_atom is null or t.is_atom = p_is_atom)
        and (p_owner_id is null or t.owner_id = p_owner_id)
    order by rank desc, t.item_id
    limit p_k
$$;

grant select on memory.suppression_in_force
to mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser;
revoke execute on function
    memory.is_told_in(timestamptz, timestamptz, timestamptz),
    memory.scope_told_to(memory.erasure_request), memory.scope_members(jsonb),
    memory.scope_predicates(int, jsonb), memory.is_whole_subject(jsonb),
    memory.placed_messages(int, jsonb), memory.whole_messages(uuid),
    memory.evidence_messages(uuid), memory.plan_request(uuid), memory.is_held(uuid),
    memory.plan_fingerprint(uuid)
from public;
grant execute on function
    memory.is_told_in(timestamptz, timestamptz, timestamptz),
    memory.scope_told_to(memory.erasure_request), memory.scope_members(jsonb),
    memory.scope_predicates(int, jsonb), memory.is_whole_subject(jsonb),
    memory.placed_messages(int, jsonb), memory.whole_messages(uuid),
    memory.evidence_messages(uuid), memory.plan_request(uuid), memory.is_held(uuid),
    memory.plan_fingerprint(uuid)
to mem_eraser, mem_verifier;
