-- A message belongs to the file that brought it first. Which later files brought it again shows the
-- stretch of its dialog that each of them told of.

create table memory.file_dialog (
    file_id uuid not null references memory.log_file,
    dialog_id uuid not null references memory.dialog,
    batch_id uuid not null,
    audience_id int references memory.audience,
    sent_from timestamptz,
    sent_to timestamptz,
    n_untimed int not null,
    primary key (file_id, dialog_id, batch_id)
);
comment on table memory.file_dialog is
    'ledger: stretches of dialogs that files told of, messages that were known included';
create index on memory.file_dialog (dialog_id);

-- null: read before this was noted
alter table memory.file_read add column has_landed boolean;

select memory.install_rules();

-- Source files of a request's plan, with how far what goes is in them: `holds` by its messages, its
-- refused records or its name, `may_hold` where nobody noted what the file brought again. Others were
-- planned only because they brought something again.
create function memory.planned_files(p_request_id uuid)
returns table (file_id uuid, file_key bytea, has_landed boolean, holds boolean, may_hold boolean)
language sql stable set search_path = pg_catalog, pg_temp
as $$
    with gone as materialized (
        select m.message_id, m.file_id, m.dialog_id, m.sent_at
        from (
            select s.message_id from memory.erasure_span as s where s.request_id = p_request_id
            union
            select i.item_id from memory.erasure_item as i
            where i.request_id = p_request_id and i.kind = 'message' and i.action in ('redact', 'erase')
        ) as p
        join memory.message as m on m.message_id = p.message_id
    ),
    planned as (
        select i.item_id as file_id, i.action = 'erase' as is_named
        from memory.erasure_item as i
        where i.request_id = p_request_id and i.kind = 'file'
        union
        select g.file_id, false from gone as g
    ),
    told as (
        select l.file_id
        from gone as g
        join memory.file_dialog as l on l.dialog_id = g.dialog_id
            and (g.sent_at is null or l.n_untimed > 0 or g.sent_at between l.sent_from and l.sent_to)
        union
        select g.file_id from gone as g
        union
        select q.file_id
        from memory.erasure_item as i
        join memory.quarantine as q on q.quarantine_id = i.item_id
        where i.request_id = p_request_id and i.kind = 'quarantine' and i.action = 'erase'
    )
    select f.file_id, f.file_key, r.has_landed,
        bool_or(p.is_named) or f.file_id in (select t.file_id from told as t),
        r.has_landed is null
    from planned as p
    join memory.log_file as f on f.file_id = p.file_id
    left join memory.file_read as r on r.file_id = f.file_id
    group by f.file_id, f.file_key, r.has_landed
$$;

-- The messages of which something goes that lie in a file, as far as it was noted.
create function memory.messages_of_file(p_file_id uuid, p_message_ids uuid[]) returns setof uuid
language sql stable set search_path = pg_catalog, pg_temp
as $$
    select m.message_id
    from memory.message as m
    where m.message_id = any (p_message_ids) and (m.file_id = p_file_id or exists (
        select from memory.file_dialog as l
        where l.file_id = p_file_id and l.dialog_id = m.dialog_id
            and (m.sent_at is null or l.n_untimed > 0 or m.sent_at between l.sent_from and l.sent_to)))
$$;

revoke execute on function
    memory.planned_files(uuid), memory.messages_of_file(uuid, uuid[]) from public;
grant execute on function
    memory.planned_files(uuid), memory.messages_of_file(uuid, uuid[])
to mem_eraser, mem_verifier;
