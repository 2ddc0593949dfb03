"""Commands that ask the memory."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from memory_pipeline.bitemporal.moments import worded, worded_period
from memory_pipeline.commands.options import As, AsJson, KnownAt, RecordedAt, Tenant, ValidAt
from memory_pipeline.commands.output import print_json, say, shortened, words
from memory_pipeline.commands.session import opened_memory


def ask(
    subject: Annotated[str | None, typer.Option("--subject", help="Name of a person.")] = None,
    entity: Annotated[str | None, typer.Option("--entity", help="Id of an entity.")] = None,
    predicate: Annotated[str | None, typer.Option("--predicate")] = None,
    valid_at: ValidAt = None,
    known_at: KnownAt = None,
    recorded_at: RecordedAt = None,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """What held of somebody, at any moment, as known at any moment."""
    if (subject is None) == (entity is None):
        raise typer.BadParameter("give either --subject or --entity")
    with opened_memory(login, tenant) as memory:
        found = memory.as_of(
            subject,
            entity_id=entity,
            predicate=predicate,
            valid_at=valid_at,
            known_at=known_at,
            recorded_at=recorded_at,
        )
    if as_json:
        print_json(found.as_json())
        return
    # of a moment that was not asked for the day is enough
    valid = worded(found.valid_at) if valid_at else f"{found.valid_at:%Y-%m-%d}"
    known = worded(found.known_at) if known_at else f"{found.known_at:%Y-%m-%d}"
    say(f"{found.subject}, valid {valid}, known {known}")
    for answer in found.answers:
        since = worded(answer.valid_from) if answer.valid_from else "ever"
        until = f" to {worded(answer.valid_to)}" if answer.valid_to else ""
        source = ", ".join(f"{e.dialog_id} turn {e.turn}" for e in answer.evidence[:2])
        value = words(answer.object) if answer.object is not None else f"({answer.status})"
        mark = " (contradicted)" if answer.status == "contradicted" else ""
        say(f"  {answer.predicate:18} {value}{mark}  since {since}{until}  [{source}]")
    if not found.answers:
        say("  nothing is known")


def history(
    subject: Annotated[str | None, typer.Option("--subject")] = None,
    entity: Annotated[str | None, typer.Option("--entity")] = None,
    predicate: Annotated[str | None, typer.Option("--predicate")] = None,
    recorded_at: RecordedAt = None,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """Every period of somebody's facts, with when it was known."""
    with opened_memory(login, tenant) as memory:
        found = memory.history(
            subject, entity_id=entity, predicate=predicate, recorded_at=recorded_at
        )
    if as_json:
        print_json([period.model_dump(mode="json") for period in found])
        return
    for period in found:
        no_value = "(erased)" if period.erased else "(a secret)"
        value = words(period.object) if period.object is not None else no_value
        say(
            f"{period.predicate:18} {value}  valid {worded_period(period.valid_from, period.valid_to)}"
            f"  known {worded_period(period.known_from, period.known_to)}"
        )


def timeline(
    out: Annotated[Path, typer.Option("--out", help="A .html or .png file.")],
    subject: Annotated[str | None, typer.Option("--subject")] = None,
    entity: Annotated[str | None, typer.Option("--entity")] = None,
    tenant: Tenant = "default",
    login: As = "operator",
) -> None:
    """Draw what held when, and what was believed when; the page works offline.

    The file holds what this login may see, and is not under the pipeline's control.
    """
    with opened_memory(login, tenant) as memory:
        memory.timeline(out, subject, entity_id=entity)
    say(str(out))


def diff(
    known_from: Annotated[str, typer.Option("--from", help="Earlier moment of knowledge.")],
    known_to: Annotated[str | None, typer.Option("--to", help="Later one; default now.")] = None,
    subject: Annotated[str | None, typer.Option("--subject")] = None,
    entity: Annotated[str | None, typer.Option("--entity")] = None,
    predicate: Annotated[str | None, typer.Option("--predicate")] = None,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """What was learned, changed and corrected of somebody between two moments."""
    with opened_memory(login, tenant) as memory:
        changes = memory.diff(known_from, known_to, subject, entity_id=entity, predicate=predicate)
    if as_json:
        print_json([change.model_dump(mode="json") for change in changes])
        return
    for change in changes:
        before = worded_period(*change.before) if change.before else "-"
        after = worded_period(*change.after) if change.after else "-"
        mark = " (corrected)" if change.corrected else ""
        say(
            f"{change.kind:9} {change.predicate:18} {words(change.object)}  {before} => {after}{mark}"
        )
    if not changes:
        say("nothing changed")


def search(
    text: Annotated[str, typer.Argument()],
    k: Annotated[int, typer.Option("--k", min=1, max=1000)] = 10,
    valid_at: ValidAt = None,
    known_at: KnownAt = None,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """Atoms and messages that fit a text by meaning and by words."""
    with opened_memory(login, tenant) as memory:
        hits = memory.search(text, k, valid_at=valid_at, known_at=known_at)
    if as_json:
        print_json({"query": text, "hits": [hit.model_dump(mode="json") for hit in hits]})
        return
    for hit in hits:
        place = f"{hit.dialog_id} turn {hit.turn}" if hit.turn else hit.predicate
        say(f"{hit.score:.4f} {hit.kind:7} {hit.subject or ''}: {hit.text}  [{place}]")


def context(
    dialog: Annotated[str, typer.Option("--dialog", help="The log's own id, or the store's.")],
    query: Annotated[str, typer.Option("--query")],
    budget: Annotated[int, typer.Option("--budget", min=1, max=10_000_000, help="Tokens.")],
    valid_at: ValidAt = None,
    known_at: KnownAt = None,
    recorded_at: RecordedAt = None,
    half_life: Annotated[float, typer.Option("--half-life", help="In turns.")] = 12.0,
    full: Annotated[float, typer.Option("--full", help="Score from which items are whole.")] = 0.45,
    compressed: Annotated[float, typer.Option("--compressed")] = 0.25,
    compression: Annotated[str, typer.Option("--compression")] = "extractive",
    strategy: Annotated[str, typer.Option("--strategy", help="ranked or published.")] = "ranked",
    audience: Annotated[
        list[str] | None, typer.Option("--audience", help="Read only what these may see.")
    ] = None,
    allow_overflow: Annotated[bool, typer.Option("--allow-overflow")] = False,
    output_format: Annotated[
        str, typer.Option("--format", help="messages, markdown or json.")
    ] = "messages",
    out: Annotated[Path | None, typer.Option("--out", help="File to write.")] = None,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """Pack what a model should see of a dialog into a token budget."""
    from memory_pipeline.afm.packing import CriticalBudgetError
    from memory_pipeline.contracts.snapshot import Levers

    chosen = "json" if as_json else output_format
    if chosen not in ("messages", "markdown", "json"):
        raise typer.BadParameter("--format is messages, markdown or json")
    with opened_memory(login, tenant, audience) as memory:
        try:
            snapshot = memory.context(
                dialog,
                query,
                budget,
                valid_at=valid_at,
                known_at=known_at,
                recorded_at=recorded_at,
                levers=Levers(half_life=half_life, full=full, compressed=compressed),
                strategy=strategy,
                compression=compression,
                allow_overflow=allow_overflow,
            )
        except CriticalBudgetError as error:
            # the error itself may reach a log, so what the items say goes to a terminal alone
            if sys.stderr.isatty():
                texts = memory.texts(error.item_ids, valid_at=valid_at, known_at=known_at)
                for item_id, said in texts.items():
                    say(f"{item_id}  {shortened(said)}", error=True)
            raise
        if chosen == "markdown":
            text = snapshot.markdown
        elif chosen == "json":
            text = snapshot.model_dump_json(indent=2)
        else:
            messages = [message.model_dump(mode="json") for message in snapshot.messages]
            text = json.dumps(messages, ensure_ascii=False, indent=2)
        if out is not None:
            memory.export(snapshot, text, out)
            say(f"{out}: {snapshot.n_tokens} of {budget} tokens, snapshot {snapshot.id}")
        else:
            say(text)


def neighbours(
    subject: Annotated[str | None, typer.Option("--subject")] = None,
    entity: Annotated[str | None, typer.Option("--entity")] = None,
    depth: Annotated[int, typer.Option("--depth", min=1, max=4)] = 1,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """Facts and people around somebody in the graph."""
    with opened_memory(login, tenant) as memory:
        found = memory.neighbours(subject, entity_id=entity, depth=depth)
    if as_json:
        print_json(found)
        return
    for fact in found["facts"]:
        say(f"{fact['subject']} -- {fact['predicate']} --> {fact['object']}")
