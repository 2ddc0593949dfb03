select
    a.atom_id, p.name as predicate, p.label_ru, p.label_en, a.kind::text as kind,
    case when a.subject_id = any (%(subjects)s) then 'subject' else 'object' end as role,
    a.polarity::text as polarity, case when a.secret_id is null then c.object end as object, c.text,
    s.type as secret_type, a.valid_from, a.valid_to, a.valid_precision::text as valid_precision,
    a.told_at, b.recorded_at, round(a.confidence::numeric, 6)::float as confidence,
    a.origin::text as origin, a.trust, a.author, i.importance::text as importance, p.tags,
    u.names as audience,
    case
        when t.atom_id is not null then 'erased'
        when c.atom_id is null then 'hidden'
        when w.statement_id is not null then 'withdrawn'
        else 'held'
    end as status,
    t.erased_at, r.reason,
    array(select d.parent_id from memory.derivation as d where d.child_id = a.atom_id
        order by d.parent_id) as derived_from,
    coalesce((
        select jsonb_agg(jsonb_build_object(
            'message_id', e.message_id, 'from', e.span_start, 'to', e.span_end)
            order by e.message_id, e.span_start)
        from memory.evidence as e where e.statement_id = a.atom_id
    ), '[]') as evidence
from memory.atom as a
join memory.predicate_current as p using (predicate_id)
join memory.audience as u on u.audience_id = a.audience_id
left join memory.batch as b on b.batch_id = a.batch_id
left join memory.atom_content as c on c.atom_id = a.atom_id and c.subject_id = a.subject_id
left join memory.secret as s on s.secret_id = a.secret_id
left join memory.withdrawal as w on w.statement_id = a.atom_id
left join memory.tombstone as t on t.atom_id = a.atom_id
left join memory.reason_content as r on r.statement_id = a.atom_id
cross join lateral memory.importance_of(a.atom_id, a.message_id, p.default_importance) as i
where a.subject_id = any (%(subjects)s) or a.object_entity_id = any (%(subjects)s)
order by p.name, a.told_at nulls first, a.atom_id
