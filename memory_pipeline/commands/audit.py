"""Commands about the audit log."""

from pathlib import Path
from typing import Annotated

import typer

from memory_pipeline.commands.options import AsJson
from memory_pipeline.commands.outcome import Exit
from memory_pipeline.commands.output import print_json, say
from memory_pipeline.commands.session import ready

audit_app = typer.Typer(
    help="The chained log of batches and erasures; run by the home's owner.", no_args_is_help=True
)

_FAULTS = {
    "altered": "was altered",
    "unreadable": "is no head",
    "missing_before": "stands after one that is missing",
    "not_chained": "does not follow from the one before",
    "genesis_missing": "is not the log's beginning",
    "missing_though_exported": "is missing, and an exported head has it",
    "differs_from_exported_head": "is another than the exported head has",
    "batch_without_event": "was never told to the log",
    "batch_missing": "is missing",
    "batch_changed": "was changed",
    "rows_changed": "has other rows than it was told with",
}


@audit_app.command("verify")
def audit_verify(
    heads: Annotated[
        Path | None,
        typer.Option("--heads", help="A copy of the file of heads; default the home's own."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Recompute the chain and the roots over all batches, and compare with the exported heads."""
    from memory_pipeline.governance.audit import verify_home

    if heads is not None and not heads.is_file():
        raise FileNotFoundError(f"there is no file {heads}")
    found = verify_home(ready(), heads)
    if as_json:
        print_json(
            {
                "holds": found.holds,
                "n_events": found.n_events,
                "n_batches": found.n_batches,
                "n_heads": found.n_heads,
                "breaks": [vars(broken) for broken in found.breaks],
            }
        )
    else:
        said = f"{found.n_events} events, {found.n_batches} batches, {found.n_heads} exported heads"
        say(f"{said}: {'the log holds' if found.holds else 'the log does NOT hold'}")
        for broken in found.breaks:
            place = "line" if broken.what == "head" else broken.what
            say(f"  {place} {broken.place} {_FAULTS[broken.fault]} ({broken.fault})")
    if not found.holds:
        raise typer.Exit(Exit.check_failed)


@audit_app.command("head")
def audit_head(
    out: Annotated[
        Path | None,
        typer.Option("--out", help="A further file to append it to, outside this machine's reach."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Append the chain's head to the home's audit-heads.jsonl; keep copies of it elsewhere."""
    from memory_pipeline.governance.audit import keep_head

    kept = keep_head(ready(), out)
    if as_json:
        print_json({"seq": kept.seq, "hash": kept.hash.hex(), "at": kept.at})
        return
    say(f"event {kept.seq}, {kept.at:%Y-%m-%d %H:%M:%S%z}, {kept.hash.hex()}")
