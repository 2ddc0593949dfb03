-- depends_on: {{ ref('int_touched_keys') }}, {{ ref('int_touched_entities') }}, {{ ref('int_refresh') }}
{{
    config(
        materialized='incremental',
        incremental_strategy='append',
        on_schema_change='fail',
        pre_hook="{{ delete_touched_periods() }}",
        post_hook=[
            "{{ keep_watermark() }}",
            {'sql': '{{ after_full_build("vacuum (analyze)") }}', 'transaction': false},
        ],
    )
}}

with
-- a full build asks once a subject for all of its keys
keys as (
    {% if is_incremental() %}
    select k.tenant_id, k.subject_id, k.predicate_id
    from {{ ref('int_touched_keys') }} as k
    {% else %}
    select distinct s.tenant_id, s.subject_id, null::int as predicate_id
    from {{ ref('int_subjects') }} as s
    {% endif %}
),

-- as values, with which the function becomes part of this query and is planned once; in the
-- order of the key, so that a subject's rows lie together and its index is filled from one end
asked as materialized (
    select
        k.*,
        array(
            select s.entity_id from {{ ref('int_subjects') }} as s
            where s.subject_id = k.subject_id
        ) as entity_ids
    from keys as k
    order by k.subject_id, k.predicate_id
)

select
    k.tenant_id,
    k.subject_id,
    r.predicate_id,
    d.name as predicate,
    case when d.cardinality = 'multi' then r.object_key end as group_key,
    r.atom_id,
    -- looked up row by row: nobody can estimate how few rows a refresh has
    (
        select a.subject_id
        from {{ ref('stg_memory__atoms') }} as a
        where a.atom_id = r.atom_id
    ) as told_of_id,
    r.object_key,
    r.valid_from,
    r.valid_to,
    r.known_from,
    r.known_to,
    r.supersedes,
    r.supports,
    r.contradicted_by,
    (
        select array_agg(distinct e.message_id)
        from {{ ref('stg_memory__evidence') }} as e
        where e.statement_id = r.atom_id
    ) as evidence_message_ids,
    r.erased
from asked as k
cross join lateral memory.rectangles_of(k.entity_ids, k.predicate_id) as r
join {{ ref('stg_memory__predicates') }} as d on d.predicate_id = r.predicate_id
