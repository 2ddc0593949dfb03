{# Two rows of one key may not hold at one point of valid x known. #}
{% test no_overlap(model, key, touched) %}
    with
    periods as (
        select
            row({{ key | join(', ') }}) as key,
            tstzrange(valid_from, valid_to) as valid_period,
            tstzrange(known_from, known_to) as known_period,
            row_number() over () as n
        from {{ model }}
        {{ where_touched(touched) }}
    )
    select one.key::text, one.valid_period, other.valid_period as other_period
    from periods as one
    join periods as other on one.key = other.key and one.n < other.n
    where one.valid_period && other.valid_period and one.known_period && other.known_period
{% endtest %}

{# A period has its start before its end, on both axes. #}
{% test period_not_empty(model, touched) %}
    select *
    from {{ model }}
    {{ where_touched(touched) }}
    {{ 'and' if where_touched(touched) | trim else 'where' }}
    (valid_from >= valid_to or known_from >= known_to)
{% endtest %}

{% macro where_touched(touched) -%}
    {% if not var('check_all') %}
    where subject_id in (select k.subject_id from {{ touched }} as k)
    {% endif %}
{%- endmacro %}
