-- A reader of the function and a reader of the table get the same rectangles, seen over 200 of the
-- keys that the last refresh touched, or over all.
with
keys as (
    {% if var('check_all') %}
    select distinct subject_id, null::int as predicate_id
    from {{ ref('int_subjects') }}
    {% else %}
    select subject_id, predicate_id
    from {{ ref('int_touched_keys') }}
    order by subject_id, predicate_id
    limit 200
    {% endif %}
),

resolved as (
    select k.subject_id, r.*
    from keys as k
    cross join lateral memory.rectangles_of(memory.component(array[k.subject_id]), k.predicate_id) as r
),

stored as (
    select
        p.subject_id, p.predicate_id, p.valid_from, p.valid_to, p.known_from, p.known_to, p.atom_id,
        p.object_key, p.supersedes, p.supports, p.contradicted_by, p.erased
    from {{ ref('atom_periods') }} as p
    join keys as k
        on k.subject_id = p.subject_id
        and (k.predicate_id is null or k.predicate_id = p.predicate_id)
)

(select 'missing' as problem, * from resolved except all select 'missing', * from stored)
union all
(select 'surplus' as problem, * from stored except all select 'surplus', * from resolved)
