select
    k.closure_id, k.action::text as action, p.name as predicate, p.label_ru, p.label_en,
    k.polarity::text as polarity, c.object, c.text, k.planned_start, k.ended_at, k.told_at,
    b.recorded_at, round(k.confidence::numeric, 6)::float as confidence, k.origin::text as origin,
    k.author, u.names as audience,
    case
        when c.closure_id is null then 'hidden'
        when w.statement_id is not null then 'withdrawn'
        else 'held'
    end as status,
    r.reason,
    array(select e.message_id from memory.evidence as e where e.statement_id = k.closure_id
        order by e.message_id) as evidence
from memory.closure as k
join memory.predicate_current as p using (predicate_id)
join memory.audience as u on u.audience_id = k.audience_id
left join memory.batch as b on b.batch_id = k.batch_id
left join memory.closure_content as c on c.closure_id = k.closure_id
left join memory.withdrawal as w on w.statement_id = k.closure_id
left join memory.reason_content as r on r.statement_id = k.closure_id
where k.subject_id = any (%(subjects)s)
order by p.name, k.told_at nulls first, k.closure_id
