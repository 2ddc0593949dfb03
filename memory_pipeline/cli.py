"""The command line. The commands are in `commands`, by what they are about.

Exit codes: 0 done; 1 failed unexpectedly; 2 wrong use; 3 done, but records went to quarantine;
4 not found; 5 a name fits several; 6 critical items exceed the budget; 7 a service is not
reachable; 8 not allowed; 9 a check failed (doctor, parity, audit); 10 erased, but
mentions elsewhere wait for a person.
"""

import typer

from memory_pipeline.commands import (
    access,
    atoms,
    audit,
    bulk,
    erase,
    job,
    mask,
    predicate,
    quarantine,
    reading,
    retention,
    review,
    services,
    subject,
)
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
    retention.retention,
):
    app.command()(command)
app.add_typer(atoms.atom_app, name="atom")
app.add_typer(access.access_app, name="access")
app.add_typer(quarantine.quarantine_app, name="quarantine")
app.add_typer(predicate.predicate_app, name="predicate")
app.add_typer(review.review_app, name="review")
app.add_typer(erase.erase_app, name="erase")
app.add_typer(mask.mask_app, name="mask")
app.add_typer(bulk.bulk_app, name="bulk")
app.add_typer(subject.subject_app, name="subject")
app.add_typer(audit.audit_app, name="audit")
app.add_typer(eval_app, name="eval")


def main() -> None:
    """Entry point: runs a command and turns known errors into messages and exit codes."""
    from memory_pipeline.logs import install
    from memory_pipeline.settings import settings

    with errors_as_exit_codes():
        install(settings().log_level)
        app()
