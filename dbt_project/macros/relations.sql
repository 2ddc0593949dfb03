{# Schemas are named as configured, without the target's name before them. #}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name or target.schema }}
{%- endmacro %}

{# mem_builder may not create schemas in the database: the owner's function does. #}
{% macro postgres__create_schema(relation) -%}
    {%- call statement('create_schema') -%}
        select memory.create_dbt_schemas()
    {%- endcall -%}
{%- endmacro %}

{# Every view asks with the rights of who reads it, from the moment it is created. #}
{% macro postgres__create_view_as(relation, sql) -%}
    create view {{ relation.render() }} with (security_invoker = true)
    {%- if config.get('contract').enforced %}
    {{ get_assert_columns_equivalent(sql) }}
    {%- endif %}
    as (
        {{ sql }}
    );
{%- endmacro %}
