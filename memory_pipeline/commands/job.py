"""Commands that run the main job, or serve it."""

from pathlib import Path
from typing import Annotated

import typer

from memory_pipeline.commands.options import AsJson, Tenant
from memory_pipeline.commands.outcome import Exit
from memory_pipeline.commands.output import print_json, progress, say
from memory_pipeline.commands.session import ready


def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Log files, or folders of them.")],
    tenant: Tenant = "default",
    tz: Annotated[
        str | None, typer.Option("--tz", help="Zone of times without one, an IANA name.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read logs to the end: when this returns, ask, search and context see them.

    The originals stay where they are and are not under the pipeline's control.
    """
    from memory_pipeline.ingest.quarantine import count_open
    from memory_pipeline.pipeline import Pipeline

    with Pipeline.open(ready(), tenant, tz) as pipeline, progress(as_json) as told:
        ingested, labelled, extracted = pipeline.run(paths, progress=told)
        refused = pipeline.refusals(ingested)
        n_open = count_open(pipeline.ingest_connection, pipeline.tenant_id)
    report = {
        "files": [
            {"file": name, "status": r.status, "n_messages": r.n_messages, "n_known": r.n_known,
             "n_quarantined": r.n_quarantined, "n_suppressed": r.n_suppressed,
             "n_waiting": r.n_waiting}
            for name, r in ingested.files
        ],
        "n_messages": ingested.n_messages,
        "n_known": ingested.n_known,
        "n_quarantined": ingested.n_quarantined,
        "n_waiting": ingested.n_waiting,
        "n_critical": labelled.n_critical,
        "n_atoms": extracted.n_atoms,
        "n_closures": extracted.n_closures,
        "n_withdrawn": extracted.n_withdrawn,
        "quarantine": refused,
    }  # fmt: skip
    if as_json:
        print_json(report)
    else:
        standing = f" ({n_open} stand open)" if n_open > ingested.n_quarantined else ""
        say(
            f"{ingested.n_files} files: {ingested.n_messages} messages added,"
            f" {ingested.n_known} known already, {ingested.n_quarantined} records in quarantine{standing};"
            f" {extracted.n_atoms} atoms, {extracted.n_closures} closures"
        )
    for entry in refused:
        where = f"{entry['file']}:{entry['position']}" if entry["position"] else entry["file"]
        field = f" [{entry['field']}]" if entry["field"] else ""
        say(f"{where}{field}: {entry['reason']}: {entry['problem']}", error=True)
    n_suppressed = sum(r.n_suppressed for _, r in ingested.files)
    if n_suppressed and not as_json:
        say(
            f"{n_suppressed} messages or records hold what was erased, or could not be read to tell:"
            " masked, or kept without their text, before anything was written"
        )
    if ingested.n_waiting and not as_json:
        say(
            f"{ingested.n_waiting} messages or records wait: an erasure that may still be cancelled"
            " would take what they hold. Read the log again once it is done or cancelled",
            error=True,
        )
    if ingested.n_quarantined or ingested.n_waiting:
        raise typer.Exit(Exit.quarantined)


def rebuild(
    what: Annotated[str, typer.Argument(help="all, vectors, full_text, graph or dbt.")] = "all",
    as_json: AsJson = False,
) -> None:
    """Drop derived tables, build them anew from the truth, and check that they are equal."""
    from memory_pipeline.index.rebuild import INDEXES
    from memory_pipeline.pipeline import Pipeline

    known = (*INDEXES, "dbt")
    if what not in ("all", *known):
        raise typer.BadParameter(f"one of all, {', '.join(known)}")
    chosen = known if what == "all" else (what,)
    services = ready()
    with Pipeline.open(services) as pipeline:
        reports = pipeline.rebuild([index for index in INDEXES if index in chosen])
    if "dbt" in chosen:
        from memory_pipeline.orchestration.dbt_project import rebuild_marts

        rebuild_marts(services)
    if as_json:
        print_json([report.model_dump(mode="json") for report in reports])
    else:
        for report in reports:
            word = "equal" if report.is_equal else "DIFFERENT"
            say(f"{report.index:10} {word}: {report.n_found} of {report.n_expected} items")
        if "dbt" in chosen:
            say("dbt        built anew, its tests passed")
    if not all(report.is_equal for report in reports):
        raise typer.Exit(Exit.check_failed)


def ui() -> None:
    """Serve the lineage UI and run the daemon (schedule, sensors) until interrupted."""
    from memory_pipeline.orchestration.instance import serve

    serve(ready())


def demo() -> None:
    """Run the main job on the project's own logs through Dagster, and show what it gives."""
    from memory_pipeline.demo import run

    run(ready())
