-- Erasure: requests and their plans (work), what stays for good (ledger), who may touch what.

create type memory.erasure_ground as enum (
    'consent_withdrawn', 'purpose_reached', 'unlawful', 'not_necessary', 'stop_processing',
    'gdpr_consent', 'gdpr_objection', 'gdpr_no_longer_needed', 'gdpr_unlawful', 'gdpr_obligation',
    'retention', 'operator'
);
create type memory.erasure_state as enum (
    'received', 'fenced', 'discovered', 'keys_destroyed', 'erased', 'scrubbed', 'verified',
    'certified', 'cancelled'
);
create type memory.erasure_block as enum (
    'legal_hold', 'review_open', 'store_unreachable', 'scrub_pending', 'residue_found', 'preview_changed',
    'selector_unclear'
);
create type memory.erasure_kind as enum (
    'atom', 'closure', 'reason', 'message', 'extraction', 'dialog', 'name', 'file', 'secret',
    'snapshot', 'snapshot_request', 'export', 'review', 'quarantine'
);
create type memory.erasure_action as enum ('hide', 'redact', 'erase', 'keep');
create type memory.store_state as enum ('open', 'erased', 'scrubbed', 'verified', 'failed', 'not_verifiable');
create type memory.suppression_dimension as enum (
    'entity', 'name', 'object', 'statement', 'dialog', 'message', 'file', 'value'
);

---------- requests, a row each; what they ask for, in words, lies apart and goes at the end

create table memory.erasure_request (
    request_id uuid primary key,
    tenant_id int not null references memory.tenant,
    ground memory.erasure_ground not null,
    state memory.erasure_state not null default 'received',
    block memory.erasure_block,
    attempt int not null default 0,
    received_at timestamptz not null default clock_timestamp(),
    due_at timestamptz,
    told_upto timestamptz not null default clock_timestamp(),
    stops_learning boolean not null default false,
    originals text not null default 'report' check (originals in ('report', 'rewrite')),
    -- the selector by ids, tags and times; null until its words are looked up
    scope jsonb,
    preview_digest bytea,
    plan_digest bytea,
    leased_by uuid,
    leased_until timestamptz,
    -- the tenant's last batch when discovery read its texts
    read_upto bigint,
    erased_batch_no bigint,
    changed_at timestamptz not null default clock_timestamp(),
    asked_by name not null default session_user
);
comment on table memory.erasure_request is
    'work: requests to erase; the state moves only forward, what holds one up stands in block';
create index on memory.erasure_request (state) where state < 'certified';

create table memory.erasure_request_content (
    request_id uuid primary key references memory.erasure_request,
    selector jsonb not null,
    reference text
);
comment on table memory.erasure_request_content is
    'content: the selector as it was asked, and the asker''s reference; erased at certification';

create table memory.erasure_item (
    -- a plan may have a row for each of a million items: no reference, which would be asked for each
    request_id uuid not null,
    kind memory.erasure_kind not null,
    item_id uuid not null,
    item_audience_id int,
    action memory.erasure_action not null,
    primary key (request_id, kind, item_id)
);
comment on table memory.erasure_item is
    'work: the plan of a request, by ids: what is hidden, redacted, erased or, once looked at, kept';
create index on memory.erasure_item (item_id);

create table memory.erasure_span (
    request_id uuid not null references memory.erasure_request,
    message_id uuid not null references memory.message,
    span_start int not null,
    span_end int not null check (span_end > span_start),
    primary key (request_id, message_id, span_start, span_end)
);
comment on table memory.erasure_span is
    'work: the characters of which messages a request redacts, in code points';

create table memory.erasure_mention (
    mention_id uuid primary key,
    request_id uuid not null references memory.erasure_request,
    message_id uuid not null references memory.message,
    span_start int not null,
    span_end int not null,
    state memory.work_state not null default 'open',
    waived_by name,
    unique (request_id, message_id, span_start, span_end)
);
comment on table memory.erasure_mention is
    'work: erased values found elsewhere: masked (done) or waived (dismissed) by a person';

create table memory.erasure_mention_content (
    mention_id uuid primary key references memory.erasure_mention,
    reason text not null
);
comment on table memory.erasure_mention_content is 'content: why a mention was waived';

create table memory.erasure_store (
    request_id uuid not null references memory.erasure_request,
    store text not null,
    store_state memory.store_state not null default 'open',
    n_found bigint,
    n_erased bigint,
    n_left bigint,
    note text,
    changed_at timestamptz not null default clock_timestamp(),
    primary key (request_id, store)
);
comment on table memory.erasure_store is
    'work: what became of a request in each registered store; counts and codes, no content';

create table memory.legal_hold (
    hold_id uuid primary key,
    tenant_id int not null references memory.tenant,
    entity_id uuid references memory.entity,
    is_held boolean not null,
    set_by name not null default session_user,
    set_at timestamptz not null default clock_timestamp()
);
comment on table memory.legal_hold is
    'ledger: whose data (null: the whole tenant''s) must not be erased; the last row counts';

---------- what stays

create table memory.erasure_epoch (
    tenant_id int not null references memory.tenant,
    epoch bigint not null,
    request_id uuid not null,
    step text not null check (step in ('fenced', 'erased', 'cancelled')),
    at timestamptz not null default clock_timestamp(),
    primary key (tenant_id, epoch)
);
comment on table memory.erasure_epoch is
    'ledger: a number that grows with every fence and erasure; work begun under an older one is done again';

create table memory.redaction (
    message_id uuid not null references memory.message,
    span_start int not null,
    span_end int not null,
    request_id uuid not null,
    batch_id uuid not null,
    primary key (message_id, span_start, span_end, request_id)
);
comment on table memory.redaction is 'ledger: the characters of which messages were redacted';

create table memory.suppression (
    suppression_id uuid primary key,
    tenant_id int not null references memory.tenant,
    batch_id uuid not null,
    request_id uuid not null,
    whole_tenant boolean not null default false,
    tags text[] not null default '{}',
    predicate_ids int[] not null default '{}',
    valid_from timestamptz,
    valid_to timestamptz,
    told_from timestamptz,
    told_upto timestamptz not null,
    stops_learning boolean not null
);
comment on table memory.suppression is
    'ledger: scopes that were erased: what is in one and was told by then is not learned again';

create table memory.suppression_key (
    suppression_id uuid not null references memory.suppression,
    dimension memory.suppression_dimension not null,
    key bytea not null,
    primary key (suppression_id, dimension, key)
);
comment on table memory.suppression_key is
    'ledger: keyed hashes that a suppressed scope is recognised by; an absent dimension is not asked';
create index on memory.suppression_key (dimension, key);

---------- what a person was given of what is held about it

create table memory.subject_export (
    export_id uuid primary key,
    tenant_id int not null references memory.tenant,
    batch_id uuid not null,
    login name not null
);
comment on table memory.subject_export is
    'ledger: files of all that is held about somebody, written for the person';

create table memory.subject_export_item (
    export_id uuid not null references memory.subject_export,
    item_id uuid not null,
    primary key (export_id, item_id)
);
comment on table memory.subject_export_item is
    'ledger: atoms, closures, messages, entities, dialogs and log files that such files tell of';
create index on memory.subject_export_item (item_id);

create table memory.subject_export_content (
    export_id uuid not null references memory.subject_export,
    path text not null,
    primary key (export_id, path)
);
comment on table memory.subject_export_content is 'content: where files written for a person lie';

-- Where a log was read that its owner keeps, so that it can be rewritten on request.
alter table memory.log_file_content add column read_from text;
