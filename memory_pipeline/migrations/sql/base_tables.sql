-- Every table's comment begins with its kind: ledger, content, work or derived.
-- The script base_rules.sql reads these comments to install triggers, grants and policies.

---------- who exists and who may see what

create table memory.tenant (
    tenant_id int generated always as identity primary key,
    name text not null unique,
    created_at timestamptz not null default clock_timestamp()
);
comment on table memory.tenant is 'ledger: tenants by the name that the operator gave them';

create table memory.tenant_setting (
    setting_id bigint generated always as identity primary key,
    tenant_id int not null references memory.tenant,
    name text not null,
    value jsonb not null,
    set_by name not null default session_user,
    set_at timestamptz not null default clock_timestamp()
);
comment on table memory.tenant_setting is
    'ledger: settings of a tenant (zone, external models, policies); the last one of a name counts';

create table memory.audience (
    audience_id int generated always as identity primary key,
    tenant_id int not null references memory.tenant,
    names text[] not null check (array_position(names, null) is null),
    unique (tenant_id, names)
);
comment on table memory.audience is
    'ledger: sets of audiences, sorted; a reader must be granted every name; {} is the whole tenant';

create table memory.access_grant (
    grant_id bigint generated always as identity primary key,
    login name not null,
    tenant_id int not null references memory.tenant,
    audience text not null,
    is_granted boolean not null,
    set_by name not null default session_user,
    set_at timestamptz not null default clock_timestamp()
);
comment on table memory.access_grant is
    'ledger: which login may read which audience of a tenant (* is all); the last row counts';
create index on memory.access_grant (login, tenant_id, audience, grant_id desc);

---------- batches: the recorded clock

create table memory.batch (
    batch_id uuid primary key,
    batch_no bigint not null unique,
    tenant_id int not null references memory.tenant,
    kind text not null,
    recorded_at timestamptz not null
);
comment on table memory.batch is
    'ledger: one row a finished batch, inserted last; gapless numbers in commit order';
create index on memory.batch (recorded_at);

---------- files, dialogs, people

create table memory.log_file (
    file_id uuid primary key,
    tenant_id int not null references memory.tenant,
    batch_id uuid not null,
    file_key bytea not null,
    n_bytes bigint not null,
    reader text not null,
    reader_version int not null,
    first_seen_day date not null,
    unique (tenant_id, file_key)
);
comment on table memory.log_file is
    'ledger: a log file by the keyed hash of its bytes, and the ingest day that first saw it';
create index on memory.log_file (first_seen_day);

create table memory.file_read (
    file_id uuid primary key references memory.log_file,
    tenant_id int not null references memory.tenant,
    batch_id uuid not null,
    n_messages bigint not null,
    n_known bigint not null,
    n_quarantined bigint not null
);
comment on table memory.file_read is
    'ledger: files that were read whole, and what became of their records';

create table memory.log_file_content (
    file_id uuid primary key references memory.log_file,
    name text not null
);
comment on table memory.log_file_content is 'content: names under which log files came';

create table memory.dialog (
    dialog_id uuid primary key,
    tenant_id int not null references memory.tenant,
    batch_id uuid not null,
    dialog_key bytea not null,
    tz text,
    unique (tenant_id, dialog_key)
);
comment on table memory.dialog is
    'ledger: a dialog by the keyed hash of its namespace and native id';

create table memory.dialog_content (
    dialog_id uuid primary key references memory.dialog,
    namespace text not null,
    native_id text not null,
    title text,
    native_lookup bytea not null
);
comment on table memory.dialog_content is 'content: native ids and titles of dialogs';
create index on memory.dialog_content (native_lookup);

create table memory.entity (
    entity_id uuid primary key,
    tenant_id int not null references memory.tenant,
    batch_id uuid not null,
    kind memory.entity_kind not null,
    dialog_id uuid references memory.dialog,
    entity_key bytea not null,
    unique (tenant_id, entity_key)
);
comment on table memory.entity is
    'ledger: the finest entity, one speaker or mention chain of one dialog';

create table memory.name_content (
    name_id uuid primary key,
    entity_id uuid not null references memory.entity,
    form memory.name_form not null,
    name text not null,
    lookup bytea not null,
    unique (entity_id, form, lookup)
);
comment on table memory.name_content is
    'content: names of entities, and keyed hashes of their normalised forms for look-up';
create index on memory.name_content (lookup);

---------- messages

create table memory.message (
    message_id uuid primary key,
    tenant_id int not null references memory.tenant,
    audience_id int not null references memory.audience,
    batch_id uuid not null,
    dialog_id uuid not null references memory.dialog,
    speaker_id uuid not null references memory.entity,
    file_id uuid not null references memory.log_file,
    position bigint not null,
    message_key bytea not null,
    role memory.message_role not null,
    sent_at timestamptz,
    sent_at_source memory.sent_at_source not null,
    edited_at timestamptz,
    ordinal bigint,
    tz text,
    lang text not null check (lang ~ '^[a-z]{2,3}$'),
    is_quoted boolean not null default false,
    text_hash bytea not null,
    n_chars int not null,
    unique nulls not distinct (tenant_id, message_key, edited_at)
);
comment on table memory.message is
    'ledger: one revision of a turn; sent_at only as stated; edits are told apart by edited_at';
create index on memory.message (dialog_id, sent_at, ordinal);
create index on memory.message (speaker_id);
create index on memory.message (file_id);
create index on memory.message (batch_id);

create table memory.message_content (
    message_id uuid not null references memory.message,
    dialog_id uuid not null,
    audience_id int not null,
    native_id text,
    text text not null,
    attachments jsonb,
    tags text[],
    primary key (message_id, dialog_id)
) partition by hash (dialog_id);
comment on table memory.message_content is
    'content: texts of messages, secrets masked, with native ids, attachments and the log''s tags';

create table memory.secret (
    secret_id uuid primary key,
    tenant_id int not null references memory.tenant,
    batch_id uuid not null,
    type text not null,
    value_key bytea not null,
    unique (tenant_id, value_key)
);
comment on table memory.secret is
    'ledger: references to values in Vault; equal values share one row by keyed hash';

create table memory.secret_use (
    secret_id uuid not null references memory.secret,
    message_id uuid not null references memory.message,
    audience_id int not null,
    batch_id uuid not null,
    span_start int not null,
    span_end int not null,
    primary key (message_id, span_start)
);
comment on table memory.secret_use is
    'ledger: where a masked text refers to which secret, in code points of the masked text';
create index on memory.secret_use (secret_id);

---------- the predicate registry

create table memory.predicate (
    predicate_id int generated always as identity primary key,
    tenant_id int references memory.tenant,
    name text not null,
    unique nulls not distinct (tenant_id, name)
);
comment on table memory.predicate is
    'ledger: registered predicates; without a tenant they serve all tenants';

create table memory.predicate_version (
    predicate_id int not null references memory.predicate,
    version int not null,
    value_type text not null,
    cardinality memory.cardinality not null,
    tags text[] not null,
    sensitivity text,
    default_importance memory.importance not null,
    label_ru text not null,
    label_en text not null,
    examples jsonb not null,
    set_at timestamptz not null default clock_timestamp(),
    primary key (predicate_id, version)
);
comment on table memory.predicate_version is
    'ledger: what a predicate means, by version; the highest counts';

---------- extraction

create table memory.extractor (
    extractor_id int generated always as identity primary key,
    name text not null,
    version text not null,
    model text not null,
    prompt_hash text not null,
    unique (name, version, model, prompt_hash)
);
comment on table memory.extractor is 'ledger: extractors, models and prompts that were ever used';

create table memory.extraction (
    extraction_id uuid primary key,
    tenant_id int not null references memory.tenant,
    audience_id int not null references memory.audience,
    batch_id uuid not null,
    message_id uuid not null references memory.message,
    window_hash bytea not null,
    extractor_id int not null references memory.extractor,
    registry_hash bytea not null,
    unique (tenant_id, window_hash, extractor_id, registry_hash)
);
comment on table memory.extraction is
    'ledger: one stored result a window, extractor and offered registry; never the batch';
create index on memory.extraction (message_id);

create table memory.extraction_content (
    extraction_id uuid primary key references memory.extraction,
    audience_id int not null,
    answer jsonb not null
);
comment on table memory.extraction_content is 'content: what the extractor answered';

create table memory.extraction_use (
    use_id bigint generated always as identity primary key,
    message_id uuid not null references memory.message,
    extraction_id uuid not null references memory.extraction,
    audience_id int not null,
    batch_id uuid not null
);
comment on table memory.extraction_use is
    'ledger: which stored result a message''s statements come from; the last one counts';
create index on memory.extraction_use (message_id, use_id desc);

create table memory.extraction_pass (
    pass_id bigint generated always as identity primary key,
    tenant_id int not null references memory.tenant,
    batch_id uuid not null,
    dialog_id uuid not null references memory.dialog,
    extractor_id int not null references memory.extractor,
    registry_hash bytea not null,
    seen_batch_no bigint not null
);
comment on table memory.extraction_pass is
    'ledger: up to which batch all windows of a dialog were extracted, by whom; the last counts';
create index on memory.extraction_pass (dialog_id, pass_id desc);

---------- statements

create table memory.atom (
    atom_id uuid primary key,
    tenant_id int not null references memory.tenant,
    audience_id int not null references memory.audience,
    batch_id uuid not null,
    extraction_id uuid references memory.extraction,
    message_id uuid references memory.message,
    subject_id uuid not null references memory.entity,
    predicate_id int not null references memory.predicate,
    kind memory.atom_kind not null,
    object_key bytea not null,
    object_entity_id uuid references memory.entity,
    secret_id uuid references memory.secret,
    polarity memory.polarity not null,
    valid_from timestamptz,
    valid_to timestamptz,
    start_inferred boolean not null,
    holds_when_told boolean not null,
    valid_precision memory.valid_precision not null,
    told_at timestamptz,
    ordinal bigint not null default 0,
    message_key bytea not null,
    span_start int not null,
    span_end int not null,
    statement_hash bytea not null,
    confidence real not null check (confidence between 0 and 1),
    origin memory.origin not null,
    trust smallint not null,
    is_own boolean not null,
    author name,
    lang text not null,
    contract_version smallint not null default 1,
    check (valid_from < valid_to),
    check ((extraction_id is null) = (author is not null))
);
comment on table memory.atom is 'ledger: one statement by one source; times, keys and surrogates';
create index on memory.atom (subject_id, predicate_id);
create index on memory.atom (message_id);
create index on memory.atom (batch_id);
create index on memory.atom (object_entity_id) where object_entity_id is not null;

create table memory.atom_content (
    atom_id uuid not null references memory.atom,
    subject_id uuid not null,
    audience_id int not null,
    object jsonb not null,
    text text not null,
    primary key (atom_id, subject_id)
) partition by hash (subject_id);
comment on table memory.atom_content is 'content: objects and sentences of atoms';

create table memory.closure (
    closure_id uuid primary key,
    tenant_id int not null references memory.tenant,
    audience_id int not null references memory.audience,
    batch_id uuid not null,
    extraction_id uuid references memory.extraction,
    message_id uuid references memory.message,
    action memory.closure_action not null,
    polarity memory.polarity not null default 'affirmed',
    subject_id uuid not null references memory.entity,
    predicate_id int not null references memory.predicate,
    object_key bytea,
    planned_start timestamptz,
    ended_at timestamptz,
    valid_precision memory.valid_precision not null,
    told_at timestamptz,
    ordinal bigint not null default 0,
    message_key bytea not null,
    span_start int not null,
    span_end int not null,
    statement_hash bytea not null,
    confidence real not null check (confidence between 0 and 1),
    origin memory.origin not null,
    trust smallint not null,
    is_own boolean not null,
    author name,
    lang text not null,
    contract_version smallint not null default 1,
    check ((extraction_id is null) = (author is not null))
);
comment on table memory.closure is
    'ledger: a statement that ends or takes back others, by selector, matched when reading';
create index on memory.closure (subject_id, predicate_id);
create index on memory.closure (message_id);
create index on memory.closure (batch_id);

create table memory.closure_content (
    closure_id uuid primary key references memory.closure,
    subject_id uuid not null,
    audience_id int not null,
    object jsonb,
    text text not null
);
comment on table memory.closure_content is 'content: objects and sentences of closures';

create table memory.reason_content (
    statement_id uuid primary key,
    audience_id int not null,
    reason text not null
);
comment on table memory.reason_content is 'content: why a human stated, corrected or took back';

create table memory.withdrawal (
    statement_id uuid primary key,
    tenant_id int not null references memory.tenant,
    audience_id int not null references memory.audience,
    batch_id uuid not null,
    reason text not null
);
comment on table memory.withdrawal is
    'ledger: statements that a newer extraction lacks; acts on the recorded clock only';
create index on memory.withdrawal (batch_id);

create table memory.restriction (
    restriction_id uuid primary key,
    tenant_id int not null references memory.tenant,
    batch_id uuid not null,
    atom_id uuid not null references memory.atom,
    audience_id int not null references memory.audience,
    author name not null
);
comment on table memory.restriction is
    'ledger: a later narrowing of an atom''s audience, enforced on every clock';
create index on memory.restriction (atom_id);

create table memory.label (
    label_id uuid primary key,
    tenant_id int not null references memory.tenant,
    audience_id int not null references memory.audience,
    batch_id uuid not null,
    message_id uuid references memory.message,
    atom_id uuid references memory.atom,
    importance memory.importance not null,
    probability real not null,
    author_kind memory.label_author not null,
    author text not null,
    check (num_nonnulls(message_id, atom_id) = 1)
);
comment on table memory.label is
    'ledger: importance of a message or atom; a human''s newest counts, then the active version''s';
create index on memory.label (message_id) where message_id is not null;
create index on memory.label (atom_id) where atom_id is not null;

create table memory.evidence (
    statement_id uuid not null,
    message_id uuid not null references memory.message,
    audience_id int not null,
    batch_id uuid not null,
    span_start int not null,
    span_end int not null,
    primary key (statement_id, message_id, span_start)
);
comment on table memory.evidence is
    'ledger: the characters of which message a statement rests on, in code points';
create index on memory.evidence (message_id);

create table memory.derivation (
    child_id uuid not null,
    parent_id uuid not null references memory.atom,
    audience_id int not null,
    batch_id uuid not null,
    primary key (child_id, parent_id)
);
comment on table memory.derivation is 'ledger: which atom was derived from which';
create index on memory.derivation (parent_id);

create table memory.same_as (
    same_as_id uuid primary key,
    tenant_id int not null references memory.tenant,
    audience_id int not null references memory.audience,
    batch_id uuid not null,
    left_id uuid not null references memory.entity,
    right_id uuid not null references memory.entity,
    is_same boolean not null,
    rule text not null,
    rule_version int not null,
    told_at timestamptz,
    statement_hash bytea not null,
    origin memory.origin not null,
    author name,
    check (left_id <> right_id)
);
comment on table memory.same_as is
    'ledger: two entities are, or are not, one; the last told of a pair counts';
create index on memory.same_as (left_id);
create index on memory.same_as (right_id);

create table memory.tombstone (
    atom_id uuid primary key references memory.atom,
    tenant_id int not null references memory.tenant,
    audience_id int not null references memory.audience,
    batch_id uuid not null,
    request_id uuid not null,
    erased_at timestamptz not null default clock_timestamp()
);
comment on table memory.tombstone is
    'ledger: an erased atom keeps its place, key, tags and period, without content';

---------- snapshots and exports

create table memory.snapshot (
    snapshot_id uuid primary key,
    tenant_id int not null references memory.tenant,
    audience_id int not null references memory.audience,
    batch_id uuid not null,
    dialog_id uuid not null references memory.dialog,
    login name not null,
    budget int not null,
    n_tokens int not null,
    valid_at timestamptz not null,
    known_at timestamptz not null,
    known_batch_no bigint not null,
    model text not null,
    levers jsonb not null
);
comment on table memory.snapshot is
    'ledger: a packed context: for whom, when, under which budget and levers';
create index on memory.snapshot (dialog_id);

create table memory.snapshot_item (
    snapshot_id uuid not null references memory.snapshot,
    item_id uuid not null,
    audience_id int not null,
    is_atom boolean not null,
    fidelity memory.fidelity not null,
    score real not null,
    n_tokens int not null,
    reason text not null,
    primary key (snapshot_id, item_id)
);
comment on table memory.snapshot_item is
    'ledger: which message or atom a snapshot carries, how fully, and why';
create index on memory.snapshot_item (item_id);

create table memory.snapshot_content (
    snapshot_id uuid primary key references memory.snapshot,
    audience_id int not null,
    query text not null,
    snapshot jsonb not null
);
comment on table memory.snapshot_content is 'content: query and rendered text of snapshots';

create table memory.export (
    export_id uuid primary key,
    tenant_id int not null references memory.tenant,
    audience_id int not null references memory.audience,
    batch_id uuid not null,
    snapshot_id uuid not null references memory.snapshot,
    n_bytes bigint not null,
    login name not null
);
comment on table memory.export is 'ledger: files that were written out of a snapshot';

create table memory.export_content (
    export_id uuid primary key references memory.export,
    audience_id int not null,
    path text not null
);
comment on table memory.export_content is 'content: where exported files lie';

---------- work

create table memory.quarantine (
    quarantine_id uuid primary key,
    tenant_id int not null references memory.tenant,
    batch_id uuid not null,
    file_id uuid references memory.log_file,
    message_id uuid references memory.message,
    position bigint,
    stage text not null,
    reason text not null,
    field text,
    record_key bytea not null,
    state memory.work_state not null default 'open',
    unique (tenant_id, record_key)
);
comment on table memory.quarantine is
    'work: refused or undecidable input, with where and why; a record counts once';
create index on memory.quarantine (file_id);

create table memory.quarantine_content (
    quarantine_id uuid primary key references memory.quarantine,
    problem text not null,
    raw bytea
);
comment on table memory.quarantine_content is
    'content: the refused record, sealed under a key in Vault, and what was wrong in words';

create table memory.review (
    review_id uuid primary key,
    tenant_id int not null references memory.tenant,
    audience_id int not null references memory.audience,
    batch_id uuid not null,
    kind text not null,
    message_id uuid references memory.message,
    item_key bytea not null,
    state memory.work_state not null default 'open',
    unique (tenant_id, kind, item_key)
);
comment on table memory.review is
    'work: what a person should look at: candidates, borderline labels, unclear dates, joins';

create table memory.review_content (
    review_id uuid primary key references memory.review,
    audience_id int not null,
    item jsonb not null
);
comment on table memory.review_content is 'content: the item to be looked at';

create table memory.snapshot_request (
    request_id uuid primary key,
    tenant_id int not null references memory.tenant,
    audience_id int not null references memory.audience,
    dialog_id uuid not null references memory.dialog,
    login name not null default session_user,
    budget int not null check (budget > 0),
    state memory.work_state not null default 'open',
    snapshot_id uuid references memory.snapshot,
    requested_at timestamptz not null default clock_timestamp()
);
comment on table memory.snapshot_request is 'work: contexts that were asked for and not yet packed';

create table memory.snapshot_request_content (
    request_id uuid primary key references memory.snapshot_request,
    audience_id int not null,
    query text not null
);
comment on table memory.snapshot_request_content is 'content: the query of a snapshot request';

do $$
begin
    for n in 0 .. 15 loop
        execute format(
            'create table memory.message_content_p%s partition of memory.message_content '
            'for values with (modulus 16, remainder %s)', n, n);
        execute format(
            'create table memory.atom_content_p%s partition of memory.atom_content '
            'for values with (modulus 16, remainder %s)', n, n);
        execute format(
            'comment on table memory.message_content_p%s is ''content: texts, by dialog''', n);
        execute format(
            'comment on table memory.atom_content_p%s is ''content: atoms, by subject''', n);
    end loop;
end $$;
