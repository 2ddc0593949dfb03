-- What ingestion hands to the eraser: evidence in a suppressed scope that a later reading found in a
-- text that stands.

-- Adds the characters to the scope's request while that runs, to a further one of the same scope once
-- it has erased. Spans that are redacted or planned are passed over; returns how many were new.
create function memory.file_follow_up(
    p_suppression_id uuid, p_message_ids uuid[], p_starts int[], p_ends int[]
) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_request memory.erasure_request;
    v_id uuid;
    v_n int;
begin
    select r.* into strict v_request
    from memory.suppression as s join memory.erasure_request as r using (request_id)
    where s.suppression_id = p_suppression_id;
    select r.request_id into v_id
    from memory.erasure_request as r
    where r.tenant_id = v_request.tenant_id and r.scope = v_request.scope
        and r.told_upto = v_request.told_upto and r.stops_learning = v_request.stops_learning
        and r.state in ('fenced', 'discovered', 'keys_destroyed')
    order by r.received_at limit 1
    -- before a span is written: discovery writes the same ones while it has the request to itself
    for key share of r;
    if v_id is null then
        select r.request_id into v_id
        from memory.erasure_request as r
        where r.tenant_id = v_request.tenant_id and r.scope = v_request.scope
            and r.told_upto = v_request.told_upto and r.stops_learning = v_request.stops_learning
            and r.state = 'received'
        order by r.received_at limit 1
        -- one that is being fenced waits for this very batch to end
        for key share of r skip locked;
    end if;
    v_id := coalesce(v_id, gen_random_uuid());
    with wanted as (
        select distinct m.message_id, m.audience_id, w.span_start, w.span_end
        from unnest(p_message_ids, p_starts, p_ends) as w (message_id, span_start, span_end)
        join memory.message as m using (message_id)
        where m.tenant_id = v_request.tenant_id and w.span_end > w.span_start
            and not exists (
                select from memory.redaction as d where d.message_id = w.message_id
                    and d.span_start <= w.span_start and d.span_end >= w.span_end)
            and not exists (
                select from memory.erasure_span as p join memory.erasure_request as r using (request_id)
                where p.message_id = w.message_id and r.state <> 'cancelled'
                    and p.span_start <= w.span_start and p.span_end >= w.span_end)
            and not exists (
                select from memory.erasure_item as i join memory.erasure_request as r using (request_id)
                where i.item_id = w.message_id and i.kind = 'message' and i.action = 'erase'
                    and r.state <> 'cancelled')
    ),
    requests as (
        insert into memory.erasure_request (
            request_id, tenant_id, ground, due_at, told_upto, stops_learning, originals, scope, asked_by
        )
        select v_id, v_request.tenant_id, v_request.ground, v_request.due_at, v_request.told_upto,
            v_request.stops_learning, v_request.originals, v_request.scope, v_request.asked_by
        where exists (select from wanted)
            and not exists (select from memory.erasure_request where request_id = v_id)
        returning request_id
    ),
    items as (
        insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
        select distinct v_id, 'message'::memory.erasure_kind, message_id, audience_id,
            'redact'::memory.erasure_action
        from wanted
        on conflict (request_id, kind, item_id) do update set action = 'redact'
            where erasure_item.action in ('hide', 'keep')
    ),
    spans as (
        insert into memory.erasure_span (request_id, message_id, span_start, span_end)
        select v_id, message_id, span_start, span_end from wanted
        on conflict do nothing
        returning 1
    )
    select count(*) into v_n from spans;
    return v_n;
end
$$;
revoke execute on function memory.file_follow_up(uuid, uuid[], int[], int[]) from public;
grant execute on function memory.file_follow_up(uuid, uuid[], int[], int[]) to mem_ingest;
