-- Content goes through the eraser's functions alone. Who may become mem_shredder, as the owner must
-- to give it functions, is still not let through: neither under its name nor by a function of his own
-- that runs as it. Whose session it is no SET ROLE changes.
create or replace function memory.refuse_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
    if tg_argv[0] = 'content' and tg_op <> 'TRUNCATE'
        and current_user = 'mem_shredder' and session_user = 'mem_eraser'
    then
        return null;
    end if;
    raise exception '%.% is append-only: % is refused', tg_table_schema, tg_table_name, tg_op
        using errcode = 'restrict_violation';
end
$$;
