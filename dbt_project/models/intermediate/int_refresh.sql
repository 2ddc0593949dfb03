-- From which batch to which this refresh goes. A build that starts over begins before the first.
select
    case
        when {{ flags.FULL_REFRESH }}
            or to_regclass('intermediate.int_subjects') is null
            or to_regclass('marts.atom_periods') is null
            then 0
        else coalesce(s.batch_no, 0)
    end as after_batch_no,
    b.to_batch_no,
    s.refreshed_at as last_refreshed_at,
    clock_timestamp() as refreshed_at
from (
    select coalesce(max(batch_no), 0) as to_batch_no
    from {{ ref('stg_memory__batches') }}
) as b
left join {{ source('derived', 'index_state') }} as s on s.index_name = 'atom_periods'
