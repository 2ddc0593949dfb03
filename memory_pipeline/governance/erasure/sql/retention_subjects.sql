-- Subjects that have atoms of a rule's tag and kind, told or starting before the moment.
select distinct a.subject_id
from memory.atom as a
where a.tenant_id = %(tenant_id)s
    and (%(kind)s::text is null or a.kind::text = %(kind)s)
    and (%(tag)s::text is null or a.predicate_id in (
        select v.predicate_id from memory.predicate_version as v where %(tag)s = any (v.tags)))
    and coalesce(a.valid_from, a.told_at, '-infinity') < %(until)s
    and not exists (select from memory.tombstone as t where t.atom_id = a.atom_id)
order by a.subject_id
