select
    a.atom_id, p.name as predicate, c.object, c.text, n.name as subject, a.subject_id, a.kind,
    a.polarity, a.valid_from, a.valid_to, a.valid_precision, a.told_at, a.confidence, a.origin,
    a.trust, a.author, u.names as audience, b.batch_no, b.recorded_at,
    r.reason, exists (
        select from memory.withdrawal as w where w.statement_id = a.atom_id
    ) as withdrawn, exists (
        select from memory.tombstone as t where t.atom_id = a.atom_id
    ) as erased, x.name as extractor, x.version as extractor_version
from memory.atom as a
join memory.predicate as p using (predicate_id)
join memory.audience as u on u.audience_id = a.audience_id
join memory.batch as b on b.batch_id = a.batch_id
left join memory.atom_content as c on c.atom_id = a.atom_id and c.subject_id = a.subject_id
left join memory.reason_content as r on r.statement_id = a.atom_id
left join memory.extraction as e on e.extraction_id = a.extraction_id
left join memory.extractor as x on x.extractor_id = e.extractor_id
left join lateral (
    select name from memory.name_content
    where entity_id = a.subject_id and form <> 'native' order by lookup limit 1
) as n on true
where a.atom_id = %(atom_id)s
