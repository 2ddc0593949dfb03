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

{# dbt lists functions as relations, too: with a function beside a view of the same name, it would
   try to set aside a view that an interrupted build had already dropped. #}
{% macro postgres__list_relations_without_caching(schema_relation) -%}
    {% call statement('list_relations_without_caching', fetch_result=True) -%}
        select
            current_database() as database,
            c.relname as name,
            n.nspname as schema,
            case c.relkind when 'v' then 'view' when 'm' then 'materialized_view' else 'table' end
                as type
        from pg_class as c
        join pg_namespace as n on n.oid = c.relnamespace
        where n.nspname = '{{ schema_relation.schema }}' and c.relkind in ('r', 'p', 'v', 'm')
    {%- endcall %}
    {{ return(load_result('list_relations_without_caching').table) }}
{%- endmacro %}
