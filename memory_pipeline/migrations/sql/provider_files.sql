-- Work that lies with a provider of models, until its answers are here and its files are deleted.
-- No row holds content: ids, hashes, states, counts.

create table memory.provider_batch (
    provider_batch_id uuid primary key,
    tenant_id int not null references memory.tenant,
    audience_id int not null references memory.audience,
    extractor_id int not null references memory.extractor,
    registry_hash bytea not null,
    native_id text,
    status text,
    n_prompt_tokens bigint not null default 0,
    n_completion_tokens bigint not null default 0,
    state memory.work_state not null default 'open',
    made_at timestamptz not null default clock_timestamp(),
    ended_at timestamptz
);
comment on table memory.provider_batch is
    'work: batches of model calls that a provider was given; done when their answers are here';

create table memory.provider_request (
    request_id uuid primary key,
    tenant_id int not null references memory.tenant,
    audience_id int not null references memory.audience,
    message_id uuid not null references memory.message,
    window_hash bytea not null,
    extractor_id int not null references memory.extractor,
    registry_hash bytea not null,
    attempt int not null,
    provider_batch_id uuid references memory.provider_batch,
    line int,
    place int,
    shown_hash bytea,
    code text,
    state memory.work_state not null default 'open',
    unique (tenant_id, window_hash, extractor_id, registry_hash, attempt)
);
comment on table memory.provider_request is
    'work: windows whose answers come from a provider''s batch; the last attempt counts';
create index on memory.provider_request (provider_batch_id, line, place);
create index on memory.provider_request (tenant_id) where state = 'open';
create index on memory.provider_request (message_id);

create table memory.provider_file (
    provider_file_id uuid primary key,
    tenant_id int not null references memory.tenant,
    audience_id int not null references memory.audience,
    provider_batch_id uuid not null references memory.provider_batch,
    kind text not null check (kind in ('input', 'output', 'error')),
    native_id text not null,
    state memory.work_state not null default 'open',
    made_at timestamptz not null default clock_timestamp(),
    deleted_at timestamptz,
    unique (provider_batch_id, kind, native_id)
);
comment on table memory.provider_file is
    'work: files with texts or answers that lie at a provider; done when it has deleted them';

select memory.install_rules();
