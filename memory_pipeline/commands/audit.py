"""Commands about the audit log."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memory_pipeline.commands.options import AsJson
from memory_pipeline.commands.outcome import Exit
from memory_pipeline.commands.output import print_json, say
from memory_pipeline.commands.session import ready

if TYPE_CHECKING:
    from memory_pipeline.governance.audit import Verified

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
                "behind": found.behind and vars(found.behind),
                "restores": [vars(restored) for restored in found.restores],
                "gone_certificates": [
                    vars(gone) | {"request_id": str(gone.request_id)}
                    for gone in found.gone_certificates
                ],
            }
        )
    else:
        _show(found)
    if not found.holds:
        raise typer.Exit(Exit.check_failed)


def _show(found: "Verified") -> None:
    said = f"{found.n_events} events, {found.n_batches} batches, {found.n_heads} exported heads"
    if found.behind is not None:
        behind = found.behind
        say(f"{said}: the log ends before its exported heads")
        say(
            f"  events after {behind.kept_seq} are not those that were exported; the newest exported"
            f" head says event {behind.lost_seq} of {behind.lost_at}"
        )
        say("  if you restored the database from a backup, say so: memory-pipeline audit restored")
        say("  if nobody did, its last events were cut off: put the database back from a backup")
    else:
        say(f"{said}: {'the log holds' if found.holds else 'the log does NOT hold'}")
        for broken in found.breaks:
            place = "line" if broken.what == "head" else broken.what
            say(f"  {place} {broken.place} {_FAULTS[broken.fault]} ({broken.fault})")
    for restored in found.restores:
        say(
            f"  restored from a backup, recorded as event {restored.seq} of {restored.at}: events"
            f" after {restored.kept_seq} up to {restored.lost_seq} at least are gone"
        )
    for gone in found.gone_certificates:
        stands = (
            f"erased again and certified anew {gone.again_at}"
            if gone.again_at
            else f"its request is {gone.state}: memory-pipeline erase run {gone.request_id}"
            if gone.state
            else "its request is not here: memory-pipeline erase replay"
        )
        say(f"  certificate of {gone.request_id}, given {gone.issued_at}, is gone; {stands}")


@audit_app.command("restored")
def audit_restored(
    out: Annotated[
        Path | None,
        typer.Option("--out", help="A copy of the file of heads that is to know of it as well."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Record that the database was restored from a backup, as an event that every later check tells.

    It names the newest exported head, which is gone, and the last one that was kept. Refused where
    the log has every exported head, or was altered.
    """
    from memory_pipeline.governance.audit import record_restore

    if out is not None and not out.is_file():
        raise FileNotFoundError(f"there is no file {out}")
    restored = record_restore(ready(), out)
    if as_json:
        print_json(vars(restored))
        return
    say(
        f"event {restored.seq}: restored from a backup; events after {restored.kept_seq} up to"
        f" {restored.lost_seq} at least are gone"
    )


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
