"""Commands about refused records."""

from typing import Annotated

import typer

from memory_pipeline.commands.options import As, AsJson, Tenant
from memory_pipeline.commands.output import print_json, say
from memory_pipeline.commands.session import opened_memory, ready

quarantine_app = typer.Typer(help="Refused records.", invoke_without_command=True)


@quarantine_app.callback()
def quarantine_list(
    context: typer.Context,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """List refused records: file, line, field, reason, remedy."""
    if context.invoked_subcommand is not None:
        return
    from memory_pipeline.ingest.quarantine import entries

    with opened_memory(login, tenant) as memory:
        found = entries(memory.connection)
    if as_json:
        print_json(found)
        return
    for entry in found:
        where = f"{entry['file']}:{entry['position']}" if entry["position"] else entry["file"]
        field = f" [{entry['field']}]" if entry["field"] else ""
        say(f"{entry['quarantine_id']} {where}{field}: {entry['reason']}: {entry['problem']}")
    if not found:
        say("nothing is in quarantine")


@quarantine_app.command("show")
def quarantine_show(
    quarantine_id: Annotated[str, typer.Argument()],
    tenant: Tenant = "default",
    login: As = "operator",
) -> None:
    """The refused record itself, in clear."""
    from uuid import UUID

    from memory_pipeline.governance.installation_keys import installation_key
    from memory_pipeline.governance.sealing import Sealer
    from memory_pipeline.ingest.quarantine import record, shown

    with opened_memory(login, tenant) as memory:
        key = installation_key(memory.services.vault_client("ingest"), "quarantine")
        raw = record(memory.connection, Sealer(key), UUID(quarantine_id))
    say("nothing was kept of it" if raw is None else shown(raw))


@quarantine_app.command("replay")
def quarantine_replay(
    tenant: Tenant = "default",
    as_json: AsJson = False,
) -> None:
    """Read refused records once more; what is read now leaves quarantine and is understood."""
    from dataclasses import asdict

    from memory_pipeline.pipeline import Pipeline

    with Pipeline.open(ready(), tenant) as pipeline:
        report = pipeline.replay_quarantine()
        if report.n_messages:
            pipeline.run([])
    if as_json:
        print_json(asdict(report))
        return
    say(
        f"{report.n_replayed} of {report.n_waiting} records read,"
        f" {report.n_messages} messages added"
    )
    if report.n_not_kept:
        say(
            f"{report.n_not_kept} cannot be replayed, for nothing was kept of them or it does not"
            " open: read their files again"
        )
