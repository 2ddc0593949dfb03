-- How well the words of each text fit those of a query, and whether its speaker is named in it: one
-- row a text, in order. Okapi BM25 over just these texts (Robertson and Zaragoza 2009, k1 = 1.2,
-- b = 0.75), their words as full text search stems them, Russian and English.
with asked as (
    select tsvector_to_array(memory.search_document(%(query)s)) as words
),
document as materialized (
    select
        x.place,
        memory.search_document(x.text) as words,
        tsvector_to_array(memory.search_document(coalesce(x.speaker, ''))) as speaker
    from unnest(%(texts)s::text[], %(speakers)s::text[])
        with ordinality as x(text, speaker, place)
),
hit as (
    select d.place, w.lexeme, cardinality(w.positions) as n
    from document as d
    cross join lateral unnest(d.words) as w
    where w.lexeme = any ((select words from asked)::text[])
),
rarity as (
    select
        lexeme,
        ln(1 + ((select count(*) from document) - count(*) + 0.5) / (count(*) + 0.5)) as idf
    from hit
    group by lexeme
),
size as (
    select place, length(words) as n, avg(length(words)) over () as mean
    from document
),
fit as (
    select h.place, sum(r.idf * h.n * 2.2 / (h.n + 1.2 * (0.25 + 0.75 * s.n / s.mean))) as fit
    from hit as h
    join rarity as r using (lexeme)
    join size as s using (place)
    group by h.place
)
select
    coalesce(f.fit, 0)::float8 as words,
    d.speaker && (select words from asked)::text[] as is_named
from document as d
left join fit as f using (place)
order by d.place
