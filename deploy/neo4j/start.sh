#!/bin/sh
# Runs the graph tests against a real Neo4j Community 5.26.
#
# With MEMORY_NEO4J_URI set, that server is used. Otherwise Neo4j is fetched from its Maven
# artifacts (once, into NEO4J_CACHE), started on a free loopback port with an empty store and no
# authentication, and stopped after the tests. Needs Java 17 and mvn. Arguments go to pytest.
set -eu
umask 077

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
checkout=$(dirname -- "$(dirname -- "$here")")
python=${PYTHON:-$checkout/.venv/bin/python}
cd "$checkout"

run_tests() {
    "$python" -m pytest -m neo4j tests/test_index_graph.py "$@"
}

if [ -n "${MEMORY_NEO4J_URI:-}" ]; then
    run_tests "$@"
    exit
fi

for program in java mvn; do
    if ! command -v "$program" >/dev/null; then
        echo "$program is missing: install Java 17 and Maven, or set MEMORY_NEO4J_URI" >&2
        exit 3
    fi
done

cache=${NEO4J_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/memory_pipeline/neo4j-5.26.0}
if [ ! -e "$cache/complete" ]; then
    echo "fetching Neo4j into $cache"
    mkdir -p "$cache"
    mvn --batch-mode --quiet --file "$here/pom.xml" dependency:copy-dependencies \
        -DincludeScope=runtime -DoutputDirectory="$cache/lib"
    touch "$cache/complete"
fi

home=$(mktemp -d)
server=
finish() {
    status=$?
    trap - EXIT INT TERM
    if [ -n "$server" ] && kill "$server" 2>/dev/null; then
        wait "$server" || true
    fi
    [ "$status" -eq 0 ] || tail -n 20 "$home/neo4j.out" >&2 || true
    rm -rf "$home"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

port=$("$python" -c 'import socket
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    print(free.getsockname()[1])')
mkdir "$home/conf" "$home/tmp"
cat > "$home/conf/neo4j.conf" <<END
server.bolt.enabled=true
server.bolt.listen_address=127.0.0.1:$port
server.bolt.advertised_address=127.0.0.1:$port
server.default_listen_address=127.0.0.1
server.http.enabled=false
server.https.enabled=false
dbms.security.auth_enabled=false
dbms.usage_report.enabled=false
server.memory.pagecache.size=128m
END

opens=
for package in java.nio java.io java.util.concurrent java.lang; do
    opens="$opens --add-opens=java.base/$package=ALL-UNNAMED"
done
# shellcheck disable=SC2086 # one flag a package
java -Xmx1g -Djava.io.tmpdir="$home/tmp" $opens --add-opens=java.base/sun.nio.ch=ALL-UNNAMED \
    -cp "$cache/lib/*" org.neo4j.server.CommunityEntryPoint \
    --home-dir="$home" --config-dir="$home/conf" > "$home/neo4j.out" 2>&1 &
server=$!

MEMORY_NEO4J_URI="bolt://127.0.0.1:$port"
export MEMORY_NEO4J_URI
"$python" - "$MEMORY_NEO4J_URI" "$server" <<'END'
import os, sys, time
import neo4j

uri, pid = sys.argv[1], int(sys.argv[2])
deadline = time.monotonic() + 120
with neo4j.GraphDatabase.driver(uri) as driver:
    while True:
        try:
            driver.verify_connectivity()
            print(driver.get_server_info().agent)
            break
        except neo4j.exceptions.DriverError as error:
            reason = error
        except neo4j.exceptions.Neo4jError as error:
            reason = error
        os.kill(pid, 0)
        if time.monotonic() > deadline:
            raise SystemExit(f"Neo4j did not answer over Bolt within 120 s: {reason}")
        time.sleep(0.5)
END
run_tests "$@"
