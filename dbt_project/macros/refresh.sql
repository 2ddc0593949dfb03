{# The batches that this refresh takes in, as an array: a list of unknown length would make the
   planner read whole ledgers, an array makes it use their indexes by batch. #}
{% macro new_batches() -%}
    array(
        select b.batch_id
        from {{ ref('stg_memory__batches') }} as b
        join {{ ref('int_refresh') }} as r
            on b.batch_no > r.after_batch_no and b.batch_no <= r.to_batch_no
    )
{%- endmacro %}

{# Keys without an answer any more get no new rows, so what was touched is deleted by itself,
   in the transaction that brings the new rows. #}
{% macro delete_touched_periods() -%}
    {% if is_incremental() %}
    delete from {{ this }} as p
    using {{ ref('int_touched_keys') }} as k
    where p.subject_id = k.subject_id and p.predicate_id = k.predicate_id;
    delete from {{ this }} as p
    using {{ ref('int_touched_entities') }} as e
    where e.is_joined and p.subject_id = e.entity_id;
    {% else %}
    delete from {{ source('derived', 'index_state') }} where index_name = 'atom_periods';
    {% endif %}
{%- endmacro %}

{# The watermark moves in the transaction that wrote the periods: a run that dies loses nothing. #}
{% macro keep_watermark() -%}
    insert into {{ source('derived', 'index_state') }} (index_name, batch_no, refreshed_at)
    select 'atom_periods', to_batch_no, refreshed_at
    from {{ ref('int_refresh') }}
    on conflict (index_name) do update
    set batch_no = excluded.batch_no, refreshed_at = excluded.refreshed_at
{%- endmacro %}

{# A command that reads its table from end to end, or much of it, such as `vacuum (analyze)`. A
   refresh that takes in what is new leaves that to autovacuum, which counts what has changed: its
   own cost may not grow with the table. #}
{% macro after_full_build(command) -%}
    {% if execute %}
    {% set first = run_query('select after_batch_no from ' ~ ref('int_refresh')).columns[0][0] %}
    {% if first == 0 or flags.FULL_REFRESH %}{{ command }} {{ this }}{% endif %}
    {% endif %}
{%- endmacro %}
