-- The canonical subject of every entity, over all joins of its tenant.
-- depends_on: {{ ref('int_touched_entities') }}, {{ ref('int_refresh') }}
{{
    config(
        materialized='incremental',
        unique_key='entity_id',
        incremental_strategy='delete+insert',
        on_schema_change='fail',
        indexes=[{'columns': ['entity_id'], 'unique': true}, {'columns': ['subject_id']}],
        post_hook="{{ after_full_build('analyze') }}",
    )
}}

select s.entity_id, s.subject_id, e.tenant_id
from memory.subjects_of(array(
    select entity_id
    from {{ ref('int_touched_entities') if is_incremental() else ref('stg_memory__entities') }}
)) as s
join {{ ref('stg_memory__entities') }} as e on e.entity_id = s.entity_id
