"""scratch"""
import time, uuid
import psycopg
from memory_pipeline.local.services import Services

def best(c, q, n=200):
    c.execute(q)
    ts=[]
    for _ in range(n):
        t=time.perf_counter(); c.execute(q).fetchall(); ts.append(time.perf_counter()-t)
    ts.sort(); return round(ts[len(ts)//2]*1e3,3)

def test_perf(database: str, services: Services):
    from psycopg.conninfo import conninfo_to_dict
    name = conninfo_to_dict(database)["dbname"]
    services.add_login("perf_r")
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("insert into memory.tenant (name) values ('a')")
        owner.execute("insert into memory.access_grant (login, tenant_id, audience, is_granted) values ('perf_r', 1, '*', true)")
        done = 0
        for n in (5, 1000, 20000):
            owner.execute("insert into memory.audience (tenant_id, names) select 1, array['a' || i] from generate_series(%s::int+1, %s::int) i", (done, n)); done = n
            owner.execute("analyze memory.audience")
            with psycopg.connect(services.pg_dsn("perf_r", str(name)), autocommit=True) as r:
                k = 100 if n < 20000 else 5
                print(n, "readable", best(r, "select cardinality(memory.readable())", k), "mask", best(r, "select cardinality(memory.readable_mask())", k))
            # alternatives as owner's functions
            owner.execute("""create or replace function memory.mask2() returns boolean[] language sql stable security definer parallel safe set search_path = pg_catalog, pg_temp as $$
              select coalesce(array_agg(r.id is not null order by n), '{}')
              from (select memory.readable() as ids offset 0) as mine
              cross join lateral generate_series(1, (select max(i) from unnest(mine.ids) as i)) as n
              left join lateral (select 1 as id) r on false
              $$;
              create or replace function memory.mask3() returns boolean[] language plpgsql stable security definer parallel safe set search_path = pg_catalog, pg_temp as $$
              declare ids constant int[] := memory.readable(); m boolean[]; i int;
              begin
                m := array_fill(false, array[coalesce((select max(x) from unnest(ids) as x), 0)]);
                foreach i in array ids loop m[i] := true; end loop;
                return m;
              end $$; grant execute on function memory.mask2(), memory.mask3() to mem_reader;
              create or replace function memory.mask4() returns boolean[] language sql stable security definer parallel safe set search_path = pg_catalog, pg_temp as $$
              with mine as materialized (select id from unnest(memory.readable()) as id)
              select coalesce(array_agg(mine.id is not null order by n), '{}')
              from generate_series(1, (select max(id) from mine)) as n left join mine on mine.id = n
              $$; grant execute on function memory.mask4() to mem_reader;""")
            with psycopg.connect(services.pg_dsn("perf_r", str(name)), autocommit=True) as r:
                k = 100 if n < 20000 else 5
                print(n, "plpgsql", best(r, "select cardinality(memory.mask3())", k), "join", best(r, "select cardinality(memory.mask4())", k))
