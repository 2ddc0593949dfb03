-- The audit log: one event a batch and a step of a request, each chained to the one before by
-- SHA-256. Events hold ids, counts and keyed hashes, so erasure has nothing to take from them.

create table memory.audit_event (
    seq bigint primary key,
    tenant_id int references memory.tenant,
    at timestamptz not null,
    actor name not null,
    action text not null check (action ~ '^[a-z_]+(\.[a-z_]+)*$'),
    request_id uuid,
    batch_no bigint,
    n_rows bigint,
    rows_root bytea,
    details jsonb not null default '{}',
    prev_hash bytea not null,
    hash bytea not null unique
);
comment on table memory.audit_event is
    'ledger: what happened, in a chain of hashes; ids, counts and keyed hashes only';
create index on memory.audit_event (request_id) where request_id is not null;
create unique index on memory.audit_event (batch_no) where batch_no is not null;
create index on memory.tombstone (batch_id);
create index on memory.restriction (batch_id);
create index on memory.same_as (batch_id);
create index on memory.redaction (batch_id);
create index on memory.suppression (batch_id);

-- The bytes that an event's hash is over, after the hash of the one before.
create function memory.audit_bytes(e memory.audit_event) returns bytea
language sql immutable set search_path = pg_catalog, pg_temp
as $$
    select convert_to(jsonb_build_array(
        e.seq, e.tenant_id, extract(epoch from e.at), e.actor, e.action, e.request_id, e.batch_no,
        e.n_rows, encode(e.rows_root, 'hex'), e.details
    )::text, 'UTF8')
$$;

-- Root of a Merkle tree as RFC 6962 builds it, over leaves in the given order: leaves are hashed
-- behind 00, nodes behind 01, an odd node goes up as it is.
create function memory.merkle_root(p_leaves bytea[]) returns bytea
language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$
declare
    v_level bytea[];
begin
    if coalesce(cardinality(p_leaves), 0) = 0 then
        return sha256('');
    end if;
    select array_agg(sha256('\x00'::bytea || leaf) order by n) into v_level
    from unnest(p_leaves) with ordinality as t (leaf, n);
    while cardinality(v_level) > 1 loop
        select array_agg(coalesce(sha256('\x01'::bytea || one || other), one) order by n)
        into v_level
        from (
            select (n + 1) / 2 as n, max(node) filter (where n % 2 = 1) as one,
                max(node) filter (where n % 2 = 0) as other
            from unnest(v_level) with ordinality as t (node, n)
            group by (n + 1) / 2
        ) as pairs;
    end loop;
    return v_level[1];
end
$$;

-- What a batch brought: hashes of whole rows of the ledger, which hold ids, times and keyed hashes.
-- They are written as no setting of a session changes and, without the nulls at their ends, no column
-- added later does either.
create function memory.batch_leaves(p_batch_id uuid) returns bytea[]
language sql stable security definer set search_path = pg_catalog, pg_temp
set timezone = 'UTC' set datestyle = 'ISO, YMD' set extra_float_digits = 1 set bytea_output = 'hex'
as $$
    select array_agg(leaf order by leaf)
    from (
        select sha256(convert_to('message' || rtrim(m::text, ',)'), 'UTF8')) as leaf
        from memory.message as m where batch_id = p_batch_id
        union all
        select sha256(convert_to('atom' || rtrim(a::text, ',)'), 'UTF8'))
        from memory.atom as a where batch_id = p_batch_id
        union all
        select sha256(convert_to('closure' || rtrim(c::text, ',)'), 'UTF8'))
        from memory.closure as c where batch_id = p_batch_id
        union all
        select sha256(convert_to('withdrawal' || rtrim(w::text, ',)'), 'UTF8'))
        from memory.withdrawal as w where batch_id = p_batch_id
        union all
        select sha256(convert_to('same_as' || rtrim(s::text, ',)'), 'UTF8'))
        from memory.same_as as s where batch_id = p_batch_id
        union all
        select sha256(convert_to('restriction' || rtrim(r::text, ',)'), 'UTF8'))
        from memory.restriction as r where batch_id = p_batch_id
        union all
        select sha256(convert_to('tombstone' || rtrim(t::text, ',)'), 'UTF8'))
        from memory.tombstone as t where batch_id = p_batch_id
        union all
        select sha256(convert_to('redaction' || rtrim(d::text, ',)'), 'UTF8'))
        from memory.redaction as d where batch_id = p_batch_id
        union all
        select sha256(convert_to('suppression' || rtrim(p::text, ',)'), 'UTF8'))
        from memory.suppression as p where batch_id = p_batch_id
    ) as rows
$$;

-- Appends one event. The lock is the batches' own, held to the end of the transaction.
create function memory.append_audit(
    p_tenant_id int, p_action text, p_request_id uuid default null, p_batch_no bigint default null,
    p_n_rows bigint default null, p_rows_root bytea default null, p_details jsonb default '{}'
) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_event memory.audit_event;
begin
    perform pg_advisory_xact_lock(hashtextextended('memory.batch', 0));
    select coalesce(max(seq), 0) + 1, coalesce((array_agg(hash order by seq desc))[1], sha256(''))
    into v_event.seq, v_event.prev_hash
    from (select seq, hash from memory.audit_event order by seq desc limit 1) as last;
    v_event.tenant_id := p_tenant_id;
    v_event.at := clock_timestamp();
    v_event.actor := session_user;
    v_event.action := p_action;
    v_event.request_id := p_request_id;
    v_event.batch_no := p_batch_no;
    v_event.n_rows := p_n_rows;
    v_event.rows_root := p_rows_root;
    v_event.details := p_details;
    v_event.hash := sha256(v_event.prev_hash || memory.audit_bytes(v_event));
    insert into memory.audit_event select v_event.*;
    return v_event.seq;
end
$$;

-- What the log says of a batch's own row.
create function memory.batch_details(b memory.batch) returns jsonb
language sql immutable set search_path = pg_catalog, pg_temp
as $$
    select jsonb_build_object(
        'kind', b.kind, 'batch_id', b.batch_id, 'recorded_at', extract(epoch from b.recorded_at))
$$;

-- As before, and the batch is told to the audit log with the root over its rows, which is computed
-- before the lock that all batches wait for.
create or replace function memory.close_batch(p_batch_id uuid, p_tenant_id int, p_kind text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_batch memory.batch;
    v_leaves constant bytea[] := memory.batch_leaves(p_batch_id);
    v_root constant bytea := memory.merkle_root(v_leaves);
begin
    perform pg_advisory_xact_lock(hashtextextended('memory.batch', 0));
    insert into memory.batch (batch_id, batch_no, tenant_id, kind, recorded_at)
    select p_batch_id, coalesce(max(batch_no), 0) + 1, p_tenant_id, p_kind,
        greatest(clock_timestamp(), max(recorded_at) + interval '1 microsecond')
    from memory.batch
    returning * into v_batch;
    perform memory.append_audit(
        p_tenant_id, 'batch', null, v_batch.batch_no, coalesce(cardinality(v_leaves), 0), v_root,
        memory.batch_details(v_batch));
    return v_batch.batch_no;
end
$$;

-- Where the chain does not hold: the first events that are missing, moved or altered.
create function memory.audit_breaks(p_limit int default 10)
returns table (seq bigint, fault text)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
    select w.seq, case
        when w.seq <> w.seq_before + 1 then 'missing_before'
        when w.prev_hash <> w.hash_before then 'not_chained'
        else 'altered'
    end
    from (
        select e.seq, e.hash, e.prev_hash, sha256(e.prev_hash || memory.audit_bytes(e)) as told,
            coalesce(lag(e.seq) over (order by e.seq), 0) as seq_before,
            coalesce(lag(e.hash) over (order by e.seq), sha256('')) as hash_before
        from memory.audit_event as e
    ) as w
    where w.seq <> w.seq_before + 1 or w.prev_hash <> w.hash_before or w.hash <> w.told
    union all
    select 1, 'genesis_missing'
    where not exists (select from memory.audit_event as e where e.seq = 1 and e.action = 'genesis')
    order by 1
    limit p_limit
$$;

-- What became of batches: null where they are as they were told, in the order of their numbers.
create function memory.audit_batches(p_after bigint, p_limit int)
returns table (batch_no bigint, fault text)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
    select batch_no, case
        when e.seq is null then 'batch_without_event'
        when b.batch_id is null then 'batch_missing'
        when e.tenant_id <> b.tenant_id or e.details <> memory.batch_details(b) then 'batch_changed'
        when e.rows_root <> memory.merkle_root(memory.batch_leaves(b.batch_id)) then 'rows_changed'
    end
    from (select * from memory.audit_event where action = 'batch') as e
    full join memory.batch as b using (batch_no)
    where batch_no > p_after
    order by batch_no
    limit p_limit
$$;

create table memory.certificate (
    request_id uuid primary key references memory.erasure_request,
    issued_at timestamptz not null default clock_timestamp(),
    body jsonb not null
);
comment on table memory.certificate is
    'ledger: certificates of erasure: states, stores, tags and counts; nothing of what was erased';

-- The log begins with what was there before it.
do $$
declare
    v_batch memory.batch;
    v_leaves bytea[];
begin
    perform memory.append_audit(null, 'genesis', p_details => jsonb_build_object(
        'n_batches', (select count(*) from memory.batch)));
    for v_batch in select * from memory.batch order by batch_no loop
        v_leaves := memory.batch_leaves(v_batch.batch_id);
        perform memory.append_audit(
            v_batch.tenant_id, 'batch', null, v_batch.batch_no, coalesce(cardinality(v_leaves), 0),
            memory.merkle_root(v_leaves), memory.batch_details(v_batch));
    end loop;
end
$$;

select memory.install_rules();

revoke execute on function
    memory.append_audit(int, text, uuid, bigint, bigint, bytea, jsonb), memory.audit_bytes(memory.audit_event),
    memory.merkle_root(bytea[]), memory.batch_leaves(uuid), memory.batch_details(memory.batch),
    memory.audit_breaks(int), memory.audit_batches(bigint, int)
from public;
grant execute on function memory.append_audit(int, text, uuid, bigint, bigint, bytea, jsonb) to mem_eraser;
grant execute on function memory.audit_breaks(int), memory.audit_batches(bigint, int)
to mem_verifier, mem_auditor, mem_eraser;
