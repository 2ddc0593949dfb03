-- Views ask with the rights of who reads them, tables carry forced row-level security.
-- depends_on: {{ ref('atoms_as_of') }}
select c.oid::regclass as relation
from pg_class as c
where c.relnamespace in ('staging'::regnamespace, 'intermediate'::regnamespace, 'marts'::regnamespace)
    and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and case
        when c.relkind = 'v' then not 'security_invoker=true' = any (coalesce(c.reloptions, '{}'))
        when c.relkind in ('r', 'p') then not (c.relrowsecurity and c.relforcerowsecurity)
        else true
    end
