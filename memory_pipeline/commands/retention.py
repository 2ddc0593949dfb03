"""The command of retention."""

from typing import Annotated

import typer

from memory_pipeline.commands.options import AsJson, Tenant
from memory_pipeline.commands.output import print_json, say
from memory_pipeline.commands.session import ready


def retention(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what has run out, and stop.")
    ] = False,
    tenant: Tenant = "default",
    as_json: AsJson = False,
) -> None:
    """File requests to erase what has run out by the rules in the home's policies/retention.yaml."""
    from datetime import UTC, datetime

    import psycopg

    from memory_pipeline.bitemporal.tenants import tenant_id
    from memory_pipeline.governance.erasure.eraser import Eraser
    from memory_pipeline.governance.erasure.retention import due, file_due_requests, rules_of

    services = ready()
    rules = rules_of(services.home.path, tenant)
    now, requests = datetime.now(UTC), []
    with psycopg.connect(services.pg_dsn("mem_eraser"), autocommit=True) as connection:
        of = tenant_id(connection, tenant)
        ids = due(connection, of, rules, now)
        if ids and not dry_run:
            with Eraser(services, tenant) as eraser:
                requests = file_due_requests(eraser, connection, of, rules, now)
    if as_json:
        print_json(
            {
                "rules": [str(rule) for rule in rules],
                "due": ids,
                "requests": requests,
            }
        )
        return
    for rule in rules:
        say(str(rule))
    say(f"{len(ids)} facts have run out" if rules else "there are no rules of retention")
    for request_id in requests:
        say(f"request {request_id} is filed; `memory-pipeline erase status {request_id}`")
