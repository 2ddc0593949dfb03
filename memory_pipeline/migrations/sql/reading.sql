-- Views that order a dialog when it is read, over what the reader may see.

-- Every revision of every message that stands (not withdrawn), numbered by edit time, with the
-- moment at which it was told.
create view memory.message_revision with (security_invoker = true) as
with
timed as (
    select
        m.*,
        count(*) over same_message - 1 as revision,
        row_number() over (
            partition by m.dialog_id, m.message_key order by m.edited_at desc nulls last
        ) = 1 as is_latest,
        coalesce(
            m.sent_at,
            case when m.ordinal is not null then coalesce(
                max(m.sent_at) over (
                    partition by m.dialog_id order by m.ordinal
                    rows between unbounded preceding and current row),
                min(m.sent_at) over (
                    partition by m.dialog_id order by m.ordinal
                    rows between current row and unbounded following)
            ) end
        ) as read_at
    from memory.message as m
    where not exists (select from memory.withdrawal as w where w.statement_id = m.message_id)
    window same_message as (
        partition by m.dialog_id, m.message_key order by m.edited_at nulls first
        rows between unbounded preceding and current row
    )
)
select
    timed.*,
    coalesce(timed.edited_at, timed.read_at) as told_at
from timed;
comment on view memory.message_revision is
    'messages that stand, by revision; told_at is null where no time is known at all';

-- The latest revisions of a dialog in order: turn 1 is the oldest.
create view memory.message_turn with (security_invoker = true) as
select
    r.*,
    row_number() over (
        partition by r.dialog_id
        order by r.read_at nulls first, r.ordinal nulls first, r.message_key
    ) as turn
from memory.message_revision as r
where r.is_latest;
comment on view memory.message_turn is 'the turns of a dialog, numbered over what the reader sees';

grant select on memory.message_revision, memory.message_turn
to mem_reader, mem_ingest, mem_builder, mem_verifier, mem_eraser;
