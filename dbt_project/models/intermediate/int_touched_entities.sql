-- Entities that are new, or whose joins changed. With an entity comes everyone who is or ever was
-- said to be one with it: a split gives keys back to entities that no row of it names.
{{ config(post_hook="analyze {{ this }}") }}

with recursive
joined as (
    select j.tenant_id, j.left_id, j.right_id
    from {{ ref('stg_memory__same_as') }} as j
    where j.batch_id = any ({{ new_batches() }})
    union
    select j.tenant_id, j.left_id, j.right_id
    from {{ ref('stg_memory__withdrawals') }} as w
    join {{ ref('stg_memory__same_as') }} as j on j.same_as_id = w.statement_id
    where w.batch_id = any ({{ new_batches() }})
),

reached as (
    select j.tenant_id, e.entity_id
    from joined as j
    cross join lateral (values (j.left_id), (j.right_id)) as e (entity_id)
    union
    select r.tenant_id, e.entity_id
    from reached as r
    cross join lateral (
        select j.right_id from {{ ref('stg_memory__same_as') }} as j
        where j.left_id = r.entity_id and j.is_same
        union all
        select j.left_id from {{ ref('stg_memory__same_as') }} as j
        where j.right_id = r.entity_id and j.is_same
    ) as e (entity_id)
)

select entity_id, tenant_id, true as is_joined
from reached
union all
select e.entity_id, e.tenant_id, false
from {{ ref('stg_memory__entities') }} as e
where e.batch_id = any ({{ new_batches() }})
    and not exists (select from reached as r where r.entity_id = e.entity_id)
