-- Atoms whose last period, as it is known now, ended by the moment. Of those that hold nowhere (taken
-- back, withdrawn, replaced before they began) their own end counts, or the telling, or the recording.
with
persons as materialized (
    select distinct memory.component(array[subject_id]) as members
    from unnest(%(subjects)s::uuid[]) as subject_id
),
periods as (
    select r.atom_id, r.supports, coalesce(r.valid_to, 'infinity') as ended_at
    from persons as p
    cross join lateral memory.rectangles_of(p.members) as r
    where r.known_to is null
),
ends as (
    select h.atom_id, max(h.ended_at) as ended_at
    from (
        select atom_id, ended_at from periods
        union all
        select support, ended_at from periods cross join unnest(supports) as support
    ) as h
    group by h.atom_id
)
select a.atom_id
from memory.atom as a
left join ends as e on e.atom_id = a.atom_id
left join memory.batch as b on b.batch_id = a.batch_id
where a.tenant_id = %(tenant_id)s and a.subject_id = any (%(subjects)s)
    and (%(kind)s::text is null or a.kind::text = %(kind)s)
    and (%(tag)s::text is null or a.predicate_id in (
        select v.predicate_id from memory.predicate_version as v where %(tag)s = any (v.tags)))
    and coalesce(e.ended_at, a.valid_to, a.told_at, b.recorded_at) <= %(until)s
