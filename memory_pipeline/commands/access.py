"""Commands about who may read what."""

import re
from typing import Annotated

import typer

from memory_pipeline.commands.options import AsJson
from memory_pipeline.commands.output import print_json, say
from memory_pipeline.commands.session import ready

access_app = typer.Typer(help="Who may read what; run by the home's owner.")


@access_app.command("grant")
def access_grant(
    name: Annotated[str, typer.Argument(help="Login; made with its own password if new.")],
    tenant: Annotated[str, typer.Option("--tenant")],
    audience: Annotated[str, typer.Option("--audience", help="A name, or * for all.")],
) -> None:
    """Let a login read an audience of a tenant."""
    import psycopg

    from memory_pipeline.governance.access import grant
    from memory_pipeline.local.roles import OPERATOR

    if re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", name) is None:
        raise ValueError("a login is named by small letters, digits and _")
    services = ready()
    if name != OPERATOR:
        services.add_login(name)
    with psycopg.connect(services.pg_url, autocommit=True) as connection:
        grant(connection, name, tenant, audience)
    say(f"{name} may read {audience} of {tenant}")


@access_app.command("revoke")
def access_revoke(
    name: Annotated[str, typer.Argument()],
    tenant: Annotated[str, typer.Option("--tenant")],
    audience: Annotated[str, typer.Option("--audience")],
) -> None:
    """Take a grant back; it ends at once, for every connection."""
    import psycopg

    from memory_pipeline.governance.access import grants, revoke

    with psycopg.connect(ready().pg_url, autocommit=True) as connection:
        standing = {(right.login, right.tenant, right.audience) for right in grants(connection)}
        if (name, tenant, audience) not in standing:
            raise LookupError(f"{name} has no grant of {audience} in {tenant}")
        revoke(connection, name, tenant, audience)
    say(f"{name} may no longer read {audience} of {tenant} by that grant")


@access_app.command("list")
def access_list(as_json: AsJson = False) -> None:
    """Rights as they stand."""
    from dataclasses import asdict

    import psycopg

    from memory_pipeline.governance.access import grants

    with psycopg.connect(ready().pg_url, autocommit=True) as connection:
        found = grants(connection)
    if as_json:
        print_json([asdict(right) for right in found])
        return
    for right in found:
        say(f"{right.login:20} {right.tenant:20} {right.audience}")
