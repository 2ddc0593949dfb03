-- Schemas and the closed sets of words. The Python twins are in contracts/vocabulary.py.
create schema memory;
create schema derived;

create type memory.message_role as enum ('user', 'assistant', 'system', 'tool');
create type memory.sent_at_source as enum ('stated', 'dialog', 'file', 'none');
create type memory.atom_kind as enum ('semantic', 'episodic', 'procedural', 'decision', 'outcome');
create type memory.polarity as enum ('affirmed', 'denied');
create type memory.valid_precision as enum ('instant', 'day', 'month', 'quarter', 'year');
create type memory.origin as enum ('human', 'user', 'tool', 'assistant', 'quoted', 'derived');
create type memory.closure_action as enum ('ended', 'corrected', 'retracted', 'cancelled');
create type memory.importance as enum ('TRIVIAL', 'RELEVANT', 'CRITICAL');
create type memory.cardinality as enum ('single', 'multi');
create type memory.entity_kind as enum ('speaker', 'mention');
create type memory.name_form as enum ('label', 'native', 'alias');
create type memory.label_author as enum ('rule', 'model', 'manual', 'human');
create type memory.fidelity as enum ('placeholder', 'compressed', 'full');
create type memory.work_state as enum ('open', 'running', 'done', 'failed', 'dismissed');
