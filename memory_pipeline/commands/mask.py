"""Commands about masks of secrets."""

from typing import Annotated

import typer

from memory_pipeline.commands.options import AsJson, Tenant
from memory_pipeline.commands.outcome import Exit
from memory_pipeline.commands.output import print_json, say
from memory_pipeline.commands.session import ready

mask_app = typer.Typer(help="Masks of secrets in what is stored.", no_args_is_help=True)


@mask_app.command("sweep")
def mask_sweep(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be masked, and stop.")
    ] = False,
    tenant: Tenant = "default",
    as_json: AsJson = False,
) -> None:
    """Read stored content again after an upgrade of the detectors, and mask what they find now."""
    from memory_pipeline.governance.mask_sweep import CannotMask, sweep

    try:
        done = sweep(ready(), tenant, dry_run=dry_run)
    except CannotMask as error:
        say(str(error), error=True)
        raise typer.Exit(Exit.check_failed) from None
    held_up = [status for status in done.requests if status.block is not None]
    if as_json:
        print_json(
            {
                "detector": done.detector,
                "is_current": done.is_current,
                "is_done": done.is_done,
                "n_found": done.n_found,
                "n_items": done.n_items,
                "requests": [status.request_id for status in done.requests],
            }
        )
    elif done.is_current:
        say("everything was read by these detectors")
    else:
        n_found, n_items = sum(done.n_found.values()), sum(done.n_items.values())
        said = "would be masked" if dry_run else "masked"
        say(f"{n_found} secrets found, {n_items} rows {said}" if n_items else "no secrets found")
        for status in done.requests:
            block = f", held up: {status.block}" if status.block else ""
            say(f"request {status.request_id}: {status.state}{block}")
    if held_up:
        raise typer.Exit(Exit.check_failed)
