{# What holds at `valid_at` as known at `known_at` (SQL expressions of timestamptz), with content.
   A value that nobody asks for costs nothing: unused columns of a view are not computed. Starts are
   asked for in words that no index takes: their columns come late in the key's index, and
   PostgreSQL would else read it twice for a subject, once for null and once for the rest. #}
{% macro periods_as_of(valid_at, known_at) -%}
    select
        ---------- ids
        p.tenant_id,
        p.subject_id,
        p.predicate_id,
        p.atom_id,
        p.told_of_id,
        a.object_entity_id,
        a.secret_id,
        a.message_id,
        m.dialog_id,
        p.supersedes,
        p.supports,
        p.contradicted_by,
        p.evidence_message_ids,

        ---------- labels
        p.predicate,
        d.label_ru,
        d.label_en,
        d.tags,
        a.kind,
        case
            -- content that went since the last refresh
            when p.erased or c.atom_id is null then 'erased'
            when a.secret_id is not null then 'secret'
            when cardinality(p.contradicted_by) > 0 then 'contradicted'
            else 'known'
        end as status,
        (
            select i.importance::text
            from memory.importance_of(
                a.atom_id, a.message_id, d.default_importance::memory.importance
            ) as i
        ) as importance,
        a.confidence,

        ---------- content
        memory.shown(c.object) as object,
        memory.shown(c.text) as text,

        ---------- times
        p.valid_from,
        p.valid_to,
        a.valid_precision,
        p.known_from,
        p.known_to,
        a.told_at
    from {{ ref('atom_periods') }} as p
    join {{ ref('stg_memory__atoms') }} as a on a.atom_id = p.atom_id
    join {{ ref('stg_memory__predicates') }} as d on d.predicate_id = p.predicate_id
    left join {{ ref('stg_memory__messages') }} as m on m.message_id = a.message_id
    left join {{ source('memory', 'atom_content') }} as c
        on c.atom_id = p.atom_id and c.subject_id = p.told_of_id
    where (p.valid_from <= {{ valid_at }}) is not false
        and (p.valid_to is null or p.valid_to > {{ valid_at }})
        and (p.known_from <= {{ known_at }}) is not false
        and (p.known_to is null or p.known_to > {{ known_at }})
{%- endmacro %}

{# A moment that a session set, else now. Asked once a query, not once a row. #}
{% macro session_moment(name) -%}
    (select coalesce(nullif(current_setting('{{ name }}', true), '')::timestamptz, now()))
{%- endmacro %}

{# The table function beside the view atoms_as_of. Its body is bound when called, so it outlives
   every rebuild of the view. #}
{% macro create_function_atoms_as_of() -%}
    create or replace function {{ this.schema }}.atoms_as_of(
        at_valid timestamptz, at_known timestamptz
    )
    returns table (
        {%- for column in model.columns.values() %}
        {{ column.name }} {{ column.data_type }}{{ ',' if not loop.last }}
        {%- endfor %}
    )
    language sql stable
    as $body$
        {{ periods_as_of('at_valid', 'at_known') }}
    $body$;
    revoke execute on function {{ this.schema }}.atoms_as_of(timestamptz, timestamptz) from public;
    grant execute on function {{ this.schema }}.atoms_as_of(timestamptz, timestamptz)
    to mem_reader, mem_verifier, mem_eraser
{%- endmacro %}
