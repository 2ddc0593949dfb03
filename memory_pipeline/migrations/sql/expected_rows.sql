-- Plans expect a reader to see what is there.
--
-- Of a function's answer the planner knows nothing and expects a third of the rows to pass; of a value
-- that may be absent it expects nearly all to be there. Expecting a third of the contents, a scan of a
-- whole store hashed them, and not the fewer periods that hold. A case costs nothing in the planner's
-- eyes: the policy stays as cheap as a comparison, and is asked before any that the reader brings.
-- Policies of derived tables stay as they were: their estimate chooses between an index of vectors and
-- an exact search, and an index that has to pass over more rows finds fewer of the nearest.
do $$
declare
    v_definition constant text := pg_get_functiondef('memory.install_rules()'::regprocedure);
    v_before constant text := 'v_table.schema, v_table.name, v_readable);';
begin
    if position(v_before in v_definition) = 0 then
        raise exception 'memory.install_rules writes the policy of audiences in another way';
    end if;
    execute replace(v_definition, v_before,
        'v_table.schema, v_table.name,'
        ' case v_table.schema when ''memory'' then format(''case when %s then true end is not null'', v_readable)'
        ' else v_readable end);');
end
$$;

select memory.install_rules();
