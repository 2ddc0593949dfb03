-- Every standing revision of a dialog in turn order, with the stored result that serves it now.
select
    r.message_id, r.message_key, r.text_hash, r.edited_at, r.told_at, r.read_at, r.sent_at_source,
    r.ordinal, r.role, r.speaker_id, e.entity_key as speaker_key, r.lang, r.is_quoted, r.tz,
    r.audience_id, r.revision, r.is_latest, used.extraction_id, used.window_hash,
    used.extractor_id, used.registry_hash
from memory.message_revision as r
join memory.entity as e on e.entity_id = r.speaker_id
left join lateral (
    select x.extraction_id, x.window_hash, x.extractor_id, x.registry_hash
    from memory.extraction_use as u
    join memory.extraction as x using (extraction_id)
    where u.message_id = r.message_id
    order by u.use_id desc
    limit 1
) as used on true
where r.dialog_id = %(dialog_id)s
order by r.read_at nulls first, r.ordinal nulls first, r.message_key, r.revision
