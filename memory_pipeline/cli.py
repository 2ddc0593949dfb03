"""The command line. The commands are in `commands`, by what they are about.

Exit codes: 0 done; 1 failed unexpectedly; 2 wrong use; 3 done, but records went to quarantine;
4 not found; 5 a name fits several; 6 critical items exceed the budget; 7 a service is not
reachable; 8 not allowed; 9 a check failed (doctor, parity).
"""

import logging

import typer

from memory_pipeline.commands import access, atoms, job, quarantine, reading, services
from memory_pipeline.commands.outcome import Exit, errors_as_exit_codes
from memory_pipeline.evaluation.command import eval_app

__all__ = ["Exit", "app", "main"]

app = typer.Typer(
    name="memory-pipeline",
    help="Memory for teams that run LLM agents: atoms from dialog logs, on every clock.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
for command in (
    services.up,
    services.down,
    services.status,
    services.doctor,
    job.ingest,
    job.rebuild,
    job.ui,
    job.demo,
    reading.ask,
    reading.history,
    reading.timeline,
    reading.diff,
    reading.search,
    reading.context,
    reading.neighbours,
):
    app.command()(command)
app.add_typer(atoms.atom_app, name="atom")
app.add_typer(access.access_app, name="access")
app.add_typer(quarantine.quarantine_app, name="quarantine")
app.add_typer(eval_app, name="eval")


def main() -> None:
    """Entry point: runs a command and turns known errors into messages and exit codes."""
    from memory_pipeline.settings import settings

    with errors_as_exit_codes():
        handler = logging.StreamHandler()
        # on the handler: libraries set levels of their own, and would be heard through the root
        handler.setLevel(settings().log_level)
        logging.basicConfig(handlers=[handler], format="%(levelname)s %(name)s: %(message)s")
        app()
