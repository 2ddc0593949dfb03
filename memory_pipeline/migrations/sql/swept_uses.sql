-- What a mask sweep masked is used as before: its block stands for the value, which lies in Vault. An
-- erasure that took such a use for gone destroyed a value that other messages still refer to.

-- Whether a use of a secret goes with a request, or went with an earlier erasure.
create function memory.is_use_gone(p_request_id uuid, p_use memory.secret_use) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
as $$
    select exists (
        select from memory.erasure_span as s
        where s.request_id = p_request_id and s.message_id = p_use.message_id
            and s.span_start <= p_use.span_start and p_use.span_end <= s.span_end)
    or exists (
        select from memory.redaction as d
        where d.message_id = p_use.message_id
            and d.span_start <= p_use.span_start and p_use.span_end <= d.span_end
            and not exists (
                select from memory.erasure_request as r
                where r.request_id = d.request_id and r.scope ? 'detector'))
$$;

create or replace function memory.doomed_secrets(p_request_id uuid)
returns table (secret_id uuid, is_ended boolean)
language sql stable set search_path = pg_catalog, pg_temp
as $$
    select i.item_id, e.secret_id is not null
    from memory.erasure_item as i
    left join memory.secret_end as e on e.secret_id = i.item_id and e.request_id = i.request_id
    where i.request_id = p_request_id and i.kind = 'secret' and i.action = 'erase'
        and (e.secret_id is not null or not exists (
            select from memory.secret_use as u
            where u.secret_id = i.item_id and not memory.is_use_gone(p_request_id, u)))
$$;

revoke execute on function memory.is_use_gone(uuid, memory.secret_use) from public;
grant execute on function memory.is_use_gone(uuid, memory.secret_use)
to mem_eraser, mem_verifier, mem_shredder;
