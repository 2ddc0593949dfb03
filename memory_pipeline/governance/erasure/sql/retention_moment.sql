-- Atoms told, or recorded, by the moment.
select a.atom_id
from memory.atom as a
join memory.batch as b on b.batch_id = a.batch_id
where a.tenant_id = %(tenant_id)s
    and (%(kind)s::text is null or a.kind::text = %(kind)s)
    and (%(tag)s::text is null or a.predicate_id in (
        select v.predicate_id from memory.predicate_version as v where %(tag)s = any (v.tags)))
    and case %(after)s when 'told_at' then a.told_at else b.recorded_at end <= %(until)s
