"""Commands for the person that data is about."""

from pathlib import Path
from typing import Annotated

import typer

from memory_pipeline.commands.options import As, AsJson, Tenant
from memory_pipeline.commands.output import print_json, say
from memory_pipeline.commands.session import opened_memory

subject_app = typer.Typer(help="What a person may ask for.", no_args_is_help=True)

FOLDER = "exports"


@subject_app.callback()
def subject() -> None:
    """What a person may ask for."""


@subject_app.command("export")
def subject_export(
    name: Annotated[str | None, typer.Argument(help="The person's name.")] = None,
    entity: Annotated[str | None, typer.Option("--entity", help="The entity's id instead.")] = None,
    lang: Annotated[str, typer.Option("--lang", help="Of the document: ru or en.")] = "ru",
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder to write to; default: exports in the home.")
    ] = None,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """Write all that is held about a person, as this login may see it: JSON and a document."""
    from memory_pipeline.governance.subject_export import export_subject

    if (name is None) == (entity is None):
        raise typer.BadParameter("give a name or --entity")
    with opened_memory(login, tenant) as memory:
        found = memory.subject(name, entity)
        folder = out or memory.services.home.path / FOLDER
        written = export_subject(memory, found, folder, lang)
    if as_json:
        print_json(
            {
                "export_id": written.export_id,
                "paths": [str(path) for path in written.paths],
                "counts": written.counts,
            }
        )
        return
    for path in written.paths:
        say(str(path))
    say(", ".join(f"{section} {n}" for section, n in written.counts.items()))
