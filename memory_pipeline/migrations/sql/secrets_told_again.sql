-- A value that an erasure destroyed and that somebody tells again is a secret of its own, under another
-- path in Vault: it follows the one that ended. What referred to that one refers to nothing, for good.

alter table memory.secret
    add column follows uuid references memory.secret,
    drop constraint secret_tenant_id_value_key_key,
    add unique nulls not distinct (tenant_id, value_key, follows);

create table memory.secret_end (
    secret_id uuid not null references memory.secret,
    request_id uuid references memory.erasure_request,
    audience_id int references memory.audience,
    ended_at timestamptz not null default clock_timestamp(),
    unique nulls not distinct (secret_id, request_id)
);
comment on table memory.secret_end is
    'ledger: secrets whose value is destroyed in Vault: by which request, null where nothing refers to it or it was lost';

insert into memory.secret_end (secret_id, request_id)
select i.item_id, i.request_id
from memory.erasure_item as i
join memory.erasure_request as r using (request_id)
join memory.secret as s on s.secret_id = i.item_id
where i.kind = 'secret' and i.action = 'erase'
    and r.state between 'keys_destroyed' and 'certified';

-- Secrets whose value is in Vault; of equal values one.
create view memory.live_secret with (security_invoker = true) as
select s.secret_id, s.tenant_id, s.type, s.value_key
from memory.secret as s
where not exists (select from memory.secret_end as e where e.secret_id = s.secret_id);

-- what ended because nothing refers to it ended by no request
alter table memory.erasure_epoch
    alter column request_id drop not null,
    drop constraint erasure_epoch_step_check,
    add check (step in ('fenced', 'erased', 'cancelled', 'secrets'));

-- Secrets that a request destroys: those of its plan that nothing else uses. A value that was told
-- again since it was planned stays.
create function memory.doomed_secrets(p_request_id uuid)
returns table (secret_id uuid, is_ended boolean)
language sql stable set search_path = pg_catalog, pg_temp
as $$
    select i.item_id, e.secret_id is not null
    from memory.erasure_item as i
    left join memory.secret_end as e on e.secret_id = i.item_id and e.request_id = i.request_id
    where i.request_id = p_request_id and i.kind = 'secret' and i.action = 'erase'
        and (e.secret_id is not null or not exists (
            select from memory.secret_use as u
            where u.secret_id = i.item_id
                and not exists (
                    select from memory.erasure_span as s
                    where s.request_id = p_request_id and s.message_id = u.message_id
                        and s.span_start <= u.span_start and u.span_end <= s.span_end)
                and not exists (
                    select from memory.redaction as s
                    where s.message_id = u.message_id
                        and s.span_start <= u.span_start and u.span_end <= s.span_end)))
$$;

-- Secrets of a tenant that nothing refers to: a run died before its messages were stored.
create function memory.unused_secrets(p_tenant_id int) returns setof uuid
language sql stable set search_path = pg_catalog, pg_temp
as $$
    select s.secret_id
    from memory.live_secret as s
    where s.tenant_id = p_tenant_id
        and not exists (select from memory.secret_use as u where u.secret_id = s.secret_id)
$$;

select memory.install_rules();
grant insert on memory.secret_end to mem_shredder;
-- not to readers, who see of no secret that it has ended
grant select on memory.live_secret to mem_ingest, mem_verifier, mem_eraser, mem_shredder;
grant create on schema memory to mem_shredder;

-- Ends the secrets that a request destroys, before it destroys them; returns how many. Alone in the
-- tenant and under a new epoch: whoever was about to use one stores its value anew.
create function memory.end_secrets(p_request_id uuid) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_request memory.erasure_request;
    v_n bigint;
begin
    select * into v_request from memory.erasure_request where request_id = p_request_id;
    if v_request.state is null or v_request.state not between 'discovered' and 'verified' then
        raise exception 'request % is %: no value is destroyed then', p_request_id, v_request.state
            using errcode = 'object_not_in_prerequisite_state';
    end if;
    if not exists (select from memory.doomed_secrets(p_request_id) as d where not d.is_ended) then
        return 0;
    end if;
    perform memory.enter_alone(v_request.tenant_id, p_request_id, 'erased');
    insert into memory.secret_end (secret_id, request_id)
    select d.secret_id, p_request_id
    from memory.doomed_secrets(p_request_id) as d
    where not d.is_ended;
    get diagnostics v_n = row_count;
    return v_n;
end
$$;

-- Ends those of some secrets that nothing refers to, or (`p_is_lost`) whose value Vault has lost.
create function memory.end_stray_secrets(p_tenant_id int, p_ids uuid[], p_is_lost boolean)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_n bigint;
begin
    perform memory.enter_alone(p_tenant_id, null, 'secrets');
    insert into memory.secret_end (secret_id)
    select s.secret_id
    from memory.live_secret as s
    where s.tenant_id = p_tenant_id and s.secret_id = any (p_ids)
        and (p_is_lost or s.secret_id in (select memory.unused_secrets(p_tenant_id)));
    get diagnostics v_n = row_count;
    return v_n;
end
$$;

alter function memory.end_secrets(uuid) owner to mem_shredder;
alter function memory.end_stray_secrets(int, uuid[], boolean) owner to mem_shredder;
revoke create on schema memory from mem_shredder;
revoke execute on function memory.doomed_secrets(uuid), memory.unused_secrets(int) from public;
grant execute on function memory.doomed_secrets(uuid), memory.unused_secrets(int)
to mem_eraser, mem_verifier, mem_shredder;
grant execute on function memory.enter_alone(int, uuid, text) to mem_shredder;
set role mem_shredder;
revoke execute on function
    memory.end_secrets(uuid), memory.end_stray_secrets(int, uuid[], boolean)
from public;
grant execute on function
    memory.end_secrets(uuid), memory.end_stray_secrets(int, uuid[], boolean)
to mem_eraser;
reset role;
