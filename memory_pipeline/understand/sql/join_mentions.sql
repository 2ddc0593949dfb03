-- One row for each audience in which the mention occurs, so that every reader who sees it finds
-- the join. A label that two speakers of the dialog share joins nothing.
insert into memory.same_as (
    same_as_id, tenant_id, audience_id, batch_id, left_id, right_id,
    is_same, rule, rule_version, told_at, statement_hash, origin
)
select
    gen_random_uuid(), %(tenant_id)s, j.audience_id, %(batch_id)s, j.mention_id, j.speaker_id,
    true, 'mention_label', 1, null, j.statement_hash, 'derived'
from (
    select distinct
        a.audience_id,
        m.entity_id as mention_id,
        speaker.entity_id as speaker_id,
        m.entity_key || speaker.entity_key as statement_hash
    from memory.entity as m
    join memory.name_content as mn on mn.entity_id = m.entity_id
    join lateral (
        select (array_agg(s.entity_id))[1] as entity_id, (array_agg(s.entity_key))[1] as entity_key
        from memory.entity as s
        join memory.name_content as sn on sn.entity_id = s.entity_id
        where s.dialog_id = m.dialog_id and s.kind = 'speaker' and sn.form = 'label'
            and sn.lookup = mn.lookup
        having count(distinct s.entity_id) = 1
    ) as speaker on true
    join memory.atom as a on a.subject_id = m.entity_id or a.object_entity_id = m.entity_id
    where m.dialog_id = %(dialog_id)s and m.kind = 'mention'
) as j
where not exists (
    select from memory.same_as as known
    where known.left_id = j.mention_id and known.right_id = j.speaker_id
        and known.audience_id = j.audience_id
)
