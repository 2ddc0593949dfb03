"""Commands about the predicate registry."""

from pathlib import Path
from typing import Annotated, Any

import typer

from memory_pipeline.commands.options import As, AsJson, Tenant
from memory_pipeline.commands.output import print_json, progress, say
from memory_pipeline.commands.session import opened_memory, ready

predicate_app = typer.Typer(help="What facts are about: list, show, add.", no_args_is_help=True)


@predicate_app.command("add")
def predicate_add(
    name: Annotated[
        str | None, typer.Argument(help="Small letters, digits and _; or --file instead.")
    ] = None,
    value_type: Annotated[
        str, typer.Option("--type", help="text, place, date, integer, money, person, email, phone.")
    ] = "text",
    cardinality: Annotated[
        str, typer.Option("--cardinality", help="single: one value at a time; multi: any number.")
    ] = "single",
    tags: Annotated[str, typer.Option("--tags", help="Names with commas between.")] = "",
    label_ru: Annotated[str | None, typer.Option("--label-ru")] = None,
    label_en: Annotated[str | None, typer.Option("--label-en")] = None,
    example: Annotated[
        list[str] | None, typer.Option("--example", help="A sentence that states it, ru or en.")
    ] = None,
    pattern: Annotated[
        list[str] | None,
        typer.Option("--pattern", help="Words of a speaker about herself: 'my team is {value}'."),
    ] = None,
    also_called: Annotated[
        list[str] | None,
        typer.Option("--also-called", help="Another name of the candidate in the review list."),
    ] = None,
    sensitivity: Annotated[str | None, typer.Option("--sensitivity", help="personal.")] = None,
    importance: Annotated[
        str, typer.Option("--importance", help="CRITICAL, RELEVANT or TRIVIAL.")
    ] = "RELEVANT",
    file: Annotated[
        Path | None, typer.Option("--file", help="YAML of one or several definitions.")
    ] = None,
    tenant: Tenant = "default",
    as_json: AsJson = False,
) -> None:
    """Add a predicate, or a new version of it, and read again what it concerns: messages whose
    facts were candidates for it, or that one of its patterns fits."""
    from memory_pipeline.pipeline import Pipeline
    from memory_pipeline.understand.candidates import names_of
    from memory_pipeline.understand.defining import define, definitions, sorted_examples
    from memory_pipeline.understand.review import close_candidates

    if (name is None) == (file is None):
        raise typer.BadParameter("give either a name or --file")
    if file is not None:
        fields = definitions(file)
    else:
        made: dict[str, Any] = {
            "name": name,
            "value_type": value_type,
            "cardinality": cardinality,
            "tags": [tag.strip() for tag in tags.split(",") if tag.strip()],
            "label_ru": label_ru or label_en or name,
            "label_en": label_en or label_ru or name,
            "patterns": pattern or [],
            "also_called": also_called or [],
            "sensitivity": sensitivity,
            "default_importance": importance,
            **sorted_examples(example or []),
        }
        fields = [made]
    with Pipeline.open(ready(), tenant) as pipeline, progress(as_json) as told:
        connection, tenant_id = pipeline.ingest_connection, pipeline.tenant_id
        added = [define(connection, tenant_id, entry, pipeline.find) for entry in fields]
        _, _, extracted = pipeline.run([], progress=told)
        names = {other for predicate in added for other in names_of(predicate)}
        n_closed = close_candidates(connection, tenant_id, names)
    report = {
        "predicates": [{"name": p.name, "version": p.version} for p in added],
        "n_windows_read": extracted.n_extracted,
        "n_failed": extracted.n_failed,
        "n_atoms": extracted.n_atoms,
        "n_withdrawn": extracted.n_withdrawn,
        "n_candidates_closed": n_closed,
    }
    if as_json:
        print_json(report)
        return
    for predicate in added:
        say(f"{predicate.name} version {predicate.version} is in the registry of {tenant}")
    say(
        f"{extracted.n_extracted} messages read again: {extracted.n_atoms} atoms,"
        f" {extracted.n_withdrawn} withdrawn; {n_closed} candidates closed"
    )


@predicate_app.command("list")
def predicate_list(
    tenant: Tenant = "default", login: As = "operator", as_json: AsJson = False
) -> None:
    """The predicates that serve a tenant, its own and those of the package."""
    from memory_pipeline.bitemporal.registry import registry_of

    with opened_memory(login, tenant) as memory:
        registry = registry_of(memory.connection, memory.tenant_id)
    found = [entry.predicate for entry in registry.values()]
    if as_json:
        print_json([predicate.model_dump(mode="json") for predicate in found])
        return
    for p in found:
        say(
            f"{p.name:20} v{p.version} {p.value_type:8} {p.cardinality:7}"
            f" {','.join(p.tags):20} {p.label_en} / {p.label_ru}"
        )


@predicate_app.command("show")
def predicate_show(
    name: Annotated[str, typer.Argument()],
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """A predicate with all its versions, and how many atoms of it this login may see."""
    from memory_pipeline.bitemporal.reading import predicate_id
    from memory_pipeline.bitemporal.registry import versions_of

    with opened_memory(login, tenant) as memory:
        number = predicate_id(memory.connection, memory.tenant_id, name)
        versions = versions_of(memory.connection, memory.tenant_id, name)
        row = memory.connection.execute(
            "select count(*) from memory.atom as a where a.tenant_id = %s and a.predicate_id = %s"
            " and not exists (select from memory.withdrawal as w where w.statement_id = a.atom_id)",
            (memory.tenant_id, number),
        ).fetchone()
    n_atoms = row[0] if row else 0
    if as_json:
        shown = [version.model_dump(mode="json") for version in versions]
        print_json({"name": name, "n_atoms": n_atoms, "versions": shown})
        return
    say(f"{name}: {n_atoms} atoms")
    for p in reversed(versions):
        say(f"  v{p.version}: {p.value_type}, {p.cardinality}, {','.join(p.tags) or 'no tags'},"
            f" {p.default_importance}; {p.label_en} / {p.label_ru}")  # fmt: skip
        for example in (*p.examples_ru, *p.examples_en):
            say(f"    example: {example}")
        for pattern in p.patterns:
            say(f"    pattern: {pattern}")
        if p.also_called:
            say(f"    also called: {', '.join(p.also_called)}")
