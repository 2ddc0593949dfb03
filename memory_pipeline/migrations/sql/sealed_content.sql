-- Sealed values: texts (or JSON strings) that begin with U+FDD0 and `[sealed:TAG]`, then bundle,
-- record and place in hexadecimal, then ciphertext. The database never opens one.

create function memory.is_sealed(p_text text) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
    select coalesce(starts_with(p_text, E'\uFDD0'), false)
$$;

-- What a reader of SQL is shown in place of a sealed value: `[sealed:TAG]`.
create function memory.shown(p_text text) returns text
language sql immutable parallel safe
begin atomic
    select case when starts_with(p_text, E'\uFDD0')
        then substr(p_text, 2, strpos(p_text, ']') - 1) else p_text end;
end;

create function memory.shown(p_json jsonb) returns jsonb
language sql immutable parallel safe
begin atomic
    select case when jsonb_typeof(p_json) = 'string' and starts_with(p_json #>> '{}', E'\uFDD0')
        then to_jsonb(memory.shown(p_json #>> '{}')) else p_json end;
end;

-- Whose key opens a sealed value.
create function memory.seal_of(
    p_text text, out bundle_id uuid, out record_id uuid, out place smallint, out tag text
)
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
declare
    v_at int := strpos(p_text, ']');
begin
    if not starts_with(p_text, E'\uFDD0') then
        return;
    end if;
    tag := substr(p_text, 10, v_at - 10);
    bundle_id := substr(p_text, v_at + 1, 32)::uuid;
    record_id := substr(p_text, v_at + 33, 32)::uuid;
    place := get_byte(decode(substr(p_text, v_at + 65, 2), 'hex'), 0);
end
$$;

create table memory.key_end (
    request_id uuid not null references memory.erasure_request,
    bundle_id uuid not null,
    record_id uuid not null,
    place smallint not null,
    audience_id int references memory.audience,
    primary key (request_id, bundle_id, record_id, place)
);
comment on table memory.key_end is
    'ledger: data keys of sealed values that a request ends, destroyed in Vault; null: for no reader';

select memory.install_rules();
grant insert on memory.key_end to mem_shredder;

-- A sealed text is changed by memory.reseal alone: what masks characters of a text would mask
-- characters of its ciphertext.
create function memory.keep_sealed() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
    if coalesce(current_setting('memory.resealed', true), '') <> new.message_id::text then
        new.text := old.text;
    end if;
    return new;
end
$$;

create trigger sealed before update on memory.message_content
for each row when (starts_with(old.text, E'\uFDD0')) execute function memory.keep_sealed();

-- Of other tables, where each column is redacted by itself, such a change is an error. Arguments: the
-- column of the row's id, and a column that may be sealed.
create function memory.refuse_unsealed() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
    v_old jsonb := to_jsonb(old);
    v_new jsonb := to_jsonb(new);
begin
    if v_new -> tg_argv[1] is distinct from v_old -> tg_argv[1]
        and memory.is_sealed(v_old ->> tg_argv[1])
        and coalesce(current_setting('memory.resealed', true), '') <> v_old ->> tg_argv[0]
    then
        raise exception 'a sealed value of %.% is changed by memory.reseal alone',
            tg_table_schema, tg_table_name using errcode = 'restrict_violation';
    end if;
    return new;
end
$$;

create trigger sealed_object before update of object on memory.atom_content
for each row when (jsonb_typeof(old.object) = 'string')
execute function memory.refuse_unsealed('atom_id', 'object');
create trigger sealed_text before update of text on memory.atom_content
for each row when (starts_with(old.text, E'\uFDD0'))
execute function memory.refuse_unsealed('atom_id', 'text');
create trigger sealed_object before update of object on memory.closure_content
for each row when (jsonb_typeof(old.object) = 'string')
execute function memory.refuse_unsealed('closure_id', 'object');
create trigger sealed_text before update of text on memory.closure_content
for each row when (starts_with(old.text, E'\uFDD0'))
execute function memory.refuse_unsealed('closure_id', 'text');
create trigger sealed_reason before update of reason on memory.reason_content
for each row when (starts_with(old.reason, E'\uFDD0'))
execute function memory.refuse_unsealed('statement_id', 'reason');
create trigger sealed_answer before update of answer on memory.extraction_content
for each row when (jsonb_typeof(old.answer) = 'string')
execute function memory.refuse_unsealed('extraction_id', 'answer');
create trigger sealed_item before update of item on memory.review_content
for each row when (jsonb_typeof(old.item) = 'string')
execute function memory.refuse_unsealed('review_id', 'item');

grant create on schema memory to mem_shredder;

-- Puts a newly sealed value, or of a message a text that is masked wholly, in place of a sealed
-- one that the plan redacts; the old value's key ends. What is under the seal only its keeper
-- can compare.
create function memory.reseal(
    p_request_id uuid, p_table text, p_id uuid, p_column text, p_value text
) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_row record := memory.redactable(p_table);
    v_is_json constant boolean := p_column in ('object', 'answer', 'item');
    v_is_bare constant boolean := p_table = 'message_content' and p_value !~ '[^█\s]';
    v_stored text;
    v_old record;
    v_new record;
begin
    perform memory.check_erasable(p_request_id);
    if (p_table, p_column) not in (
        ('message_content', 'text'), ('atom_content', 'object'), ('atom_content', 'text'),
        ('closure_content', 'object'), ('closure_content', 'text'), ('reason_content', 'reason'),
        ('extraction_content', 'answer'), ('review_content', 'item')
    ) then
        raise exception 'memory.%.% is not resealed', p_table, p_column
            using errcode = 'invalid_parameter_value';
    end if;
    if not exists (
        select from memory.erasure_item
        where request_id = p_request_id and kind = v_row.item_kind and item_id = p_id
            and (action = 'redact' or action = 'erase' and p_table = 'message_content')
    ) and not exists (
        select from memory.erasure_span
        where p_table = 'message_content' and request_id = p_request_id and message_id = p_id
    ) then
        raise exception 'request % does not redact this row of memory.%', p_request_id, p_table
            using errcode = 'insufficient_privilege';
    end if;
    execute format(
        case when v_is_json then 'select %I #>> ''{}'' from memory.%I where %I = $1'
            else 'select %I from memory.%I where %I = $1' end, p_column, p_table, v_row.key)
        into v_stored using p_id;
    v_old := memory.seal_of(v_stored);
    v_new := memory.seal_of(p_value);
    if v_old.record_id is distinct from p_id
        or not v_is_bare and (
            v_new.record_id is distinct from p_id or v_new.place is distinct from v_old.place
            or v_new.bundle_id is not distinct from v_old.bundle_id)
    then
        raise exception 'the value for memory.% is not sealed anew for this row', p_table
            using errcode = 'check_violation';
    end if;
    insert into memory.key_end (request_id, bundle_id, record_id, place)
    values (p_request_id, v_old.bundle_id, p_id, v_old.place)
    on conflict do nothing;
    perform set_config('memory.resealed', p_id::text, true);
    execute format('update memory.%I set %I = %s where %I = $1', p_table, p_column,
        case when v_is_json then 'to_jsonb($2)' else '$2' end, v_row.key)
        using p_id, p_value;
    perform set_config('memory.resealed', '', true);
    if v_is_bare then
        update memory.message_content
        set native_id = null, attachments = null, tags = null
        where message_id = p_id and num_nonnulls(native_id, attachments, tags) > 0;
    end if;
    return true;
end
$$;

-- The keys of all sealed values in rows that the plan erases end with them. To be called in the
-- transaction that removes the rows, before they are gone; returns how many.
create function memory.end_keys(p_request_id uuid) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_place record;
    v_total bigint := 0;
    v_n bigint;
begin
    perform memory.check_erasable(p_request_id);
    for v_place in
        select * from (values
            ('atom_content', 'atom_id', 'atom', 'object', true),
            ('atom_content', 'atom_id', 'atom', 'text', false),
            ('closure_content', 'closure_id', 'closure', 'object', true),
            ('closure_content', 'closure_id', 'closure', 'text', false),
            ('reason_content', 'statement_id', 'reason', 'reason', false),
            ('extraction_content', 'extraction_id', 'extraction', 'answer', true),
            ('review_content', 'review_id', 'review', 'item', true),
            ('snapshot_content', 'snapshot_id', 'snapshot', 'query', false),
            ('snapshot_content', 'snapshot_id', 'snapshot', 'snapshot', true),
            ('snapshot_request_content', 'request_id', 'snapshot_request', 'query', false)
        ) as t (name, key, kind, field, is_json)
    loop
        execute format(
            'with planned as materialized ('
            ' select i.item_id from memory.erasure_item as i where i.request_id = $1'
            ' and i.kind = $2::memory.erasure_kind and i.action = ''erase''),'
            ' found as materialized ('
            ' select c.%2$I as item_id, c.%3$I%4$s as value from planned as p'
            ' join memory.%1$I as c on c.%2$I = p.item_id),'
            ' sealed as (select s.* from found as f cross join lateral memory.seal_of(f.value) as s'
            ' where memory.is_sealed(f.value) and s.record_id = f.item_id)'
            ' insert into memory.key_end (request_id, bundle_id, record_id, place)'
            ' select $1, bundle_id, record_id, place from sealed on conflict do nothing',
            v_place.name, v_place.key, v_place.field, case when v_place.is_json then ' #>> ''{}''' else '' end)
        using p_request_id, v_place.kind;
        get diagnostics v_n = row_count;
        v_total := v_total + v_n;
    end loop;
    return v_total;
end
$$;

alter function memory.reseal(uuid, text, uuid, text, text) owner to mem_shredder;
alter function memory.end_keys(uuid) owner to mem_shredder;
revoke create on schema memory from mem_shredder;

revoke execute on function
    memory.is_sealed(text), memory.shown(text), memory.shown(jsonb), memory.seal_of(text),
    memory.keep_sealed(), memory.refuse_unsealed()
from public;
grant execute on function
    memory.is_sealed(text), memory.shown(text), memory.shown(jsonb), memory.seal_of(text)
to mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser, mem_shredder;
set role mem_shredder;
revoke execute on function
    memory.reseal(uuid, text, uuid, text, text), memory.end_keys(uuid)
from public;
grant execute on function
    memory.reseal(uuid, text, uuid, text, text), memory.end_keys(uuid)
to mem_eraser;
reset role;
