{{ periods_as_of('now()', 'now()') }}
