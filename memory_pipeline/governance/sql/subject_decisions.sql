-- What machines decided about messages and facts of these entities: how important they are, and
-- which program read facts out of what was said.
select
    'importance' as what, l.author_kind::text as by, l.author as program, l.importance::text as result,
    count(*) as n
from memory.label as l
left join memory.message as m on m.message_id = l.message_id
left join memory.atom as a on a.atom_id = l.atom_id
where m.speaker_id = any (%(subjects)s) or a.subject_id = any (%(subjects)s)
group by l.author_kind, l.author, l.importance
union all
select 'extraction', 'model', x.name || ' ' || x.version, null, count(*)
from memory.atom as a
join memory.extraction as e on e.extraction_id = a.extraction_id
join memory.extractor as x on x.extractor_id = e.extractor_id
where a.subject_id = any (%(subjects)s)
group by x.name, x.version
order by 1, 2, 3, 4
