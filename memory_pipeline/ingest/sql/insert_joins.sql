-- A speaker is joined to the person behind its native id or label. One row an audience, so that
-- every reader finds the join in what it may see, whichever message came first.
insert into memory.same_as (
    same_as_id, tenant_id, audience_id, batch_id, left_id, right_id,
    is_same, rule, rule_version, told_at, statement_hash, origin
)
select
    gen_random_uuid(), %(tenant_id)s, j.audience_id, %(batch_id)s, j.left_id, j.right_id,
    true, j.rule, 1, null, j.statement_hash, 'derived'
from (
    select distinct
        s.audience_id,
        speaker.entity_id as left_id,
        person.entity_id as right_id,
        case when s.speaker_native is null then 'speaker_label' else 'speaker_native' end as rule,
        s.speaker_key || s.person_key as statement_hash
    from stage_message as s
    join memory.entity as speaker
        on speaker.tenant_id = %(tenant_id)s and speaker.entity_key = s.speaker_key
    join memory.entity as person
        on person.tenant_id = %(tenant_id)s and person.entity_key = s.person_key
) as j
where not exists (
    select from memory.same_as as known
    where known.left_id = j.left_id and known.right_id = j.right_id
        and known.audience_id = j.audience_id
)
