"""What the servers of a home are and which guarantees they allow, as data."""

from collections.abc import Callable, Iterator
from enum import StrEnum

import psycopg

from memory_pipeline.contracts.base import Contract
from memory_pipeline.local import graph, postgres, vault
from memory_pipeline.local.external import refusal, without_password
from memory_pipeline.local.services import Services

POSTGRES_MAJOR = 18
# 0.8.4 repairs HNSW indexes after a vacuum
VECTOR_VERSION = (0, 8, 4)
NEO4J_MAJOR = 5


class Verdict(StrEnum):
    """How a finding is to be taken."""

    ok = "ok"
    limited = "limited"  # works, one guarantee less
    failed = "failed"


class Finding(Contract):
    """One thing looked at. `remedy` is empty where nothing is to be done."""

    service: str
    check: str
    verdict: Verdict
    value: str
    remedy: str = ""


def doctor(services: Services) -> list[Finding]:
    """Look at every service of a home. Raises nothing for a server that is down: that is a
    finding.
    """
    looks: dict[str, Callable[[Services], Iterator[Finding]]] = {
        postgres.SERVICE: _postgres,
        graph.SERVICE: _graph,
        vault.SERVICE: _vault,
    }
    found: list[Finding] = []
    for look in looks.values():
        found += look(services)
    return found


def _finding(
    service: str, check: str, value: object, *, good: bool, remedy: str, hard: bool = False
) -> Finding:
    bad = Verdict.failed if hard else Verdict.limited
    return Finding(
        service=service,
        check=check,
        verdict=Verdict.ok if good else bad,
        value=str(value),
        remedy="" if good else remedy,
    )


def _postgres(services: Services) -> Iterator[Finding]:
    service = postgres.SERVICE
    url = services.settings.pg_url
    shown = without_password(url) if url else services.pg_url
    try:
        connection = psycopg.connect(services.pg_url, connect_timeout=5, autocommit=True)
    except psycopg.OperationalError as error:
        yield _finding(
            service,
            "reachable",
            f"{shown} ({refusal(error, url)})",
            good=False,
            hard=True,
            remedy="run `memory-pipeline up`, or look at MEMORY_PG_URL",
        )
        return
    with connection:
        yield _finding(service, "reachable", shown, good=True, remedy="")
        yield from _postgres_versions(connection)
        yield from _postgres_guarantees(services, connection)


def _one(connection: psycopg.Connection, query: str) -> str:
    row = connection.execute(query.encode()).fetchone()
    return "" if row is None or row[0] is None else str(row[0])


def _postgres_versions(connection: psycopg.Connection) -> Iterator[Finding]:
    service = postgres.SERVICE
    major = connection.info.server_version // 10_000
    yield _finding(
        service,
        "version",
        _one(connection, "SHOW server_version"),
        good=major >= POSTGRES_MAJOR,
        hard=True,
        remedy=f"use PostgreSQL {POSTGRES_MAJOR}",
    )
    version = _one(connection, "SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    numbers = tuple(int(part) for part in version.split(".") if part.isdigit())
    yield _finding(
        service,
        "vector",
        version or "missing",
        good=numbers >= VECTOR_VERSION,
        hard=not version,
        remedy="install pgvector 0.8.4 or newer and run ALTER EXTENSION vector UPDATE",
    )
    yield _finding(
        service,
        "encoding",
        encoding := _one(connection, "SHOW server_encoding"),
        good=encoding == "UTF8",
        hard=True,
        remedy="make the database with ENCODING 'UTF8'",
    )


_WANTED_SETTINGS = {
    "wal_recycle": ("off", "erased rows may live on in recycled WAL files"),
    "wal_init_zero": ("on", "new WAL files may hold what the file system held before"),
    "log_error_verbosity": ("terse", "the server's log may hold values of rows"),
    "log_min_error_statement": ("panic", "the server's log may hold statements with values"),
    "log_parameter_max_length": ("0", "the server's log may hold parameters"),
    "log_parameter_max_length_on_error": ("0", "the server's log may hold parameters"),
    "log_statement": ("none", "the server's log may hold statements with values"),
    "data_checksums": ("on", "a damaged page goes unnoticed"),
    "fsync": ("on", "a crash may lose committed rows"),
}


def _postgres_guarantees(services: Services, connection: psycopg.Connection) -> Iterator[Finding]:
    service = postgres.SERVICE
    scrubs = _one(
        connection,
        "SELECT rolsuper OR oid = (SELECT datdba FROM pg_database"
        " WHERE datname = current_database()) FROM pg_roles WHERE rolname = current_user",
    )
    yield _finding(
        service,
        "catalog_scrub",
        "possible" if scrubs == "True" else "the login does not own the database",
        good=scrubs == "True",
        remedy="statistics keep values after an erasure; have the database's owner run "
        "VACUUM FULL pg_statistic and pg_statistic_ext_data after each, or make it MEMORY_PG_URL",
    )
    switches = (
        service in services.embedded
        or _one(
            connection,
            "SELECT has_function_privilege('pg_switch_wal()', 'EXECUTE')"
            " AND pg_has_role('pg_checkpoint', 'USAGE')",
        )
        == "True"
    )
    yield _finding(
        service,
        "wal_scrub",
        "possible" if switches else "no right to switch WAL files",
        good=switches,
        remedy="an admin must run GRANT EXECUTE ON FUNCTION pg_switch_wal() and GRANT "
        "pg_checkpoint to the login of MEMORY_PG_URL, or erased rows stay in WAL until it turns over",
    )
    bound = _one(
        connection,
        "SELECT NOT (rolsuper OR rolbypassrls) FROM pg_roles WHERE rolname = current_user",
    )
    yield _finding(
        service,
        "row_level_security",
        "binds the owner" if bound == "True" else "the owner's login passes it",
        good=bound == "True",
        remedy="give MEMORY_PG_URL a login that is no superuser and has no BYPASSRLS",
    )
    passes = _one(connection, "SELECT rolbypassrls FROM pg_roles WHERE rolname = 'mem_backup'")
    yield _finding(
        service,
        "backup_reads_all",
        passes == "True",
        good=passes == "True",
        remedy="an admin must run ALTER ROLE mem_backup BYPASSRLS, or backups are incomplete",
    )
    for name, (wanted, risk) in _WANTED_SETTINGS.items():
        value = _one(connection, f"SELECT current_setting('{name}', true)")
        yield _finding(
            service, name, value, good=value == wanted, remedy=f"set {name} = {wanted}: {risk}"
        )


def _graph(services: Services) -> Iterator[Finding]:
    import neo4j
    import neo4j.exceptions

    service = graph.SERVICE
    try:
        with neo4j.GraphDatabase.driver(
            services.graph_uri, auth=services.graph_auth, connection_timeout=5
        ) as driver:
            driver.execute_query("RETURN 1", database_=services.graph_database)
            agent = driver.get_server_info().agent
    except (neo4j.exceptions.DriverError, neo4j.exceptions.Neo4jError) as error:
        yield _finding(
            service,
            "reachable",
            f"{services.graph_uri} ({type(error).__name__})",
            good=False,
            hard=True,
            remedy="run `memory-pipeline up`, or look at MEMORY_NEO4J_URI and its password",
        )
        return
    yield _finding(service, "reachable", services.graph_uri, good=True, remedy="")
    arcade = "ArcadeDB" in agent
    yield _finding(service, "kind", "arcadedb" if arcade else "neo4j", good=True, remedy="")
    number = agent.partition("/")[2].partition(".")[0]
    yield _finding(
        service,
        "version",
        agent,
        good=arcade or (number.isdigit() and int(number) >= NEO4J_MAJOR),
        remedy=f"use Neo4j {NEO4J_MAJOR} or newer",
    )


def _vault(services: Services) -> Iterator[Finding]:
    service = vault.SERVICE
    facts = vault.health(services.vault_addr)
    if not facts:
        yield _finding(
            service,
            "reachable",
            services.vault_addr,
            good=False,
            hard=True,
            remedy="run `memory-pipeline up`, or look at MEMORY_VAULT_ADDR",
        )
        return
    yield _finding(service, "reachable", services.vault_addr, good=True, remedy="")
    yield _finding(service, "version", facts.get("version", ""), good=True, remedy="")
    sealed = bool(facts.get("sealed"))
    yield _finding(
        service,
        "sealed",
        sealed,
        good=not sealed,
        hard=True,
        remedy="unseal it; until then nothing sensitive is accepted",
    )
    if service in services.embedded:
        audit = services.home.logs / "vault-audit.log"
        yield _finding(
            service,
            "audit",
            "on" if audit.exists() else "missing",
            good=audit.exists(),
            remedy="restart it by `memory-pipeline down` and `memory-pipeline up`",
        )
