-- What a database is known by, restored from a backup too: the hash of its audit log's first event.
create function memory.identity() returns bytea
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
    select e.hash from memory.audit_event as e where e.seq = 1
$$;

revoke execute on function memory.identity() from public;
grant execute on function memory.identity() to mem_ingest, mem_verifier, mem_eraser;
