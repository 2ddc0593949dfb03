-- Keys whose periods may differ from those of the last refresh.
{{ config(post_hook="analyze {{ this }}") }}

with
-- a predicate that turns from one value to many, or back, is keyed anew; a new predicate has no
-- statements from before it. The hour covers versions whose transaction was open during the last
-- refresh
keyed_anew as (
    select v.predicate_id
    from {{ ref('stg_memory__predicate_versions') }} as v
    cross join lateral (
        select b.cardinality
        from {{ ref('stg_memory__predicate_versions') }} as b
        where b.predicate_id = v.predicate_id and b.version < v.version
        order by b.version desc limit 1
    ) as before
    cross join {{ ref('int_refresh') }} as r
    where v.cardinality <> before.cardinality
        and v.set_at > r.last_refreshed_at - interval '1 hour'
),

touched as (
    select a.subject_id, a.predicate_id
    from {{ ref('stg_memory__atoms') }} as a
    where a.batch_id = any ({{ new_batches() }})
    union all
    select c.subject_id, c.predicate_id
    from {{ ref('stg_memory__closures') }} as c
    where c.batch_id = any ({{ new_batches() }})
    union all
    select a.subject_id, a.predicate_id
    from {{ ref('stg_memory__withdrawals') }} as w
    join {{ ref('stg_memory__atoms') }} as a on a.atom_id = w.statement_id
    where w.batch_id = any ({{ new_batches() }})
    union all
    select c.subject_id, c.predicate_id
    from {{ ref('stg_memory__withdrawals') }} as w
    join {{ ref('stg_memory__closures') }} as c on c.closure_id = w.statement_id
    where w.batch_id = any ({{ new_batches() }})
    union all
    select a.subject_id, a.predicate_id
    from {{ ref('stg_memory__tombstones') }} as t
    join {{ ref('stg_memory__atoms') }} as a on a.atom_id = t.atom_id
    where t.batch_id = any ({{ new_batches() }})
    union all
    select a.subject_id, a.predicate_id
    from {{ ref('int_touched_entities') }} as e
    join {{ ref('stg_memory__atoms') }} as a on a.subject_id = e.entity_id
    where e.is_joined
    union all
    select a.subject_id, a.predicate_id
    from keyed_anew
    join {{ ref('stg_memory__atoms') }} as a on a.predicate_id = keyed_anew.predicate_id
)

select distinct s.tenant_id, s.subject_id, t.predicate_id
from touched as t
join {{ ref('int_subjects') }} as s on s.entity_id = t.subject_id
