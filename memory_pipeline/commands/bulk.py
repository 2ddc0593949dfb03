"""Commands about extraction by a provider's batches of calls."""

import typer

from memory_pipeline.commands.options import AsJson, Tenant
from memory_pipeline.commands.output import print_json, say
from memory_pipeline.commands.session import ready

bulk_app = typer.Typer(
    help="Extraction by a provider's batches of calls: what waits, one round of it.",
    no_args_is_help=True,
)


@bulk_app.command("status")
def bulk_status(tenant: Tenant = "default", as_json: AsJson = False) -> None:
    """Windows by state, and what lies at the provider."""
    from memory_pipeline.orchestration.measures import bulk_by_state, open_bulk_work
    from memory_pipeline.pipeline import Pipeline

    with Pipeline.open(ready(), tenant) as pipeline:
        windows = bulk_by_state(pipeline.builder_connection, pipeline.tenant_id)
        work = open_bulk_work(pipeline.builder_connection, pipeline.tenant_id)
        rows = pipeline.builder_connection.execute(
            "select kind, count(*) from memory.provider_file"
            " where tenant_id = %s and state = 'open' group by kind order by kind",
            (pipeline.tenant_id,),
        ).fetchall()
    if as_json:
        print_json({"windows": windows, "files": dict(rows), "n_open": len(work)})
        return
    for state, n in windows.items():
        say(f"{n} windows {state}")
    for kind, n in rows:
        say(f"{n} {kind} files at the provider")
    if not work:
        say("nothing waits for a provider, and nothing lies there")


@bulk_app.command("run")
def bulk_run(tenant: Tenant = "default", as_json: AsJson = False) -> None:
    """One round: collect answers, send what waits, delete the provider's files; then extract."""
    from dataclasses import asdict

    from memory_pipeline.pipeline import Pipeline

    with Pipeline.open(ready(), tenant) as pipeline:
        report = pipeline.run_bulk()
        if report.n_answered or report.n_failed:
            pipeline.run([])
    if as_json:
        print_json(asdict(report))
        return
    say(
        f"{report.n_answered} windows answered, {report.n_asked_again} asked again,"
        f" {report.n_failed} refused; {report.n_sent} sent, {report.n_running} batches running,"
        f" {report.n_files_deleted} files deleted at the provider"
    )
