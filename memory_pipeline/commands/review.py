"""Commands about the review lists."""

from typing import Annotated

import typer

from memory_pipeline.commands.options import As, AsJson, Tenant
from memory_pipeline.commands.output import print_json, say
from memory_pipeline.commands.session import opened_memory, ready
from memory_pipeline.contracts.vocabulary import Importance

review_app = typer.Typer(
    help="What a person should look at, as far as a login may see it.", no_args_is_help=True
)

State = Annotated[str, typer.Option("--state", help="open, done, dismissed or all.")]
STATES = ("open", "running", "done", "failed", "dismissed", "all")


@review_app.command("list")
def review_list(
    kind: Annotated[
        str | None,
        typer.Option("--kind", help="One list alone, for example candidate_predicate."),
    ] = None,
    state: State = "open",
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most items shown.")] = 100,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """Candidates for predicates by count with examples, and the items of the other lists."""
    from memory_pipeline.understand import review
    from memory_pipeline.understand.candidates import CANDIDATE

    if state not in STATES:
        raise typer.BadParameter(f"--state is one of {', '.join(STATES)}")
    wanted = None if state == "all" else state
    with opened_memory(login, tenant) as memory:
        counts = review.counts(memory)
        proposed = []
        if kind in (None, CANDIDATE):
            proposed = review.candidates(memory, state=wanted)
        # flags are many: they are counted, and shown when asked for
        others = [
            name
            for name in counts
            if name != CANDIDATE and (kind == name or (kind is None and "flag_" not in name))
        ]
        items = [
            item
            for name in others
            for item in review.items(memory, kind=name, state=wanted, limit=limit)
        ]
        if kind == CANDIDATE:
            items = review.items(memory, kind=kind, state=wanted, limit=limit)
    if as_json:
        print_json({"counts": counts, "candidates": proposed, "items": items})
        return
    for name, states in counts.items():
        if kind in (None, name):
            say(f"{name}: " + ", ".join(f"{n} {word}" for word, n in states.items()))
    for one in proposed:
        say(f"candidate {one['predicate']}: {one['n']} in {one['n_dialogs']} dialogs")
        for example in one["examples"]:
            say(f"    {example['object']}: {example['text']}")
    for item in items:
        where = f"{item['dialog_id']} turn {item['turn']}" if item["dialog_id"] else ""
        what = item["importance"] or (item["item"] or {}).get("predicate", "")
        say(f"{item['review_id']} {item['kind']} {what} [{where}] {(item['text'] or '')[:80]}")
    if not proposed and not items:
        say("nothing waits here that this login may see")


@review_app.command("show")
def review_show(
    review_id: Annotated[str, typer.Argument()],
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """One item with the message that it is about."""
    from uuid import UUID

    from memory_pipeline.understand import review

    with opened_memory(login, tenant) as memory:
        found = review.items(memory, state=None, review_id=UUID(review_id))
    if not found:
        raise LookupError(f"there is no review item {review_id} for this login")
    if as_json:
        print_json(found[0])
        return
    item = found[0]
    say(f"{item['kind']}, {item['state']}, since {item['recorded_at']:%Y-%m-%d %H:%M}")
    for name, value in (item["item"] or {}).items():
        say(f"  {name}: {value}")
    if item["importance"]:
        say(f"  {item['importance']} ({item['probability']:.2f})")
    if item["text"] is not None:
        say(f"  {item['dialog_id']} turn {item['turn']}, {item['speaker']}: {item['text']}")


@review_app.command("close")
def review_close(
    review_ids: Annotated[
        list[str] | None, typer.Argument(help="Ids of items, as the list shows them.")
    ] = None,
    candidate: Annotated[
        str | None, typer.Option("--candidate", help="All items of one candidate instead.")
    ] = None,
    dismiss: Annotated[bool, typer.Option("--dismiss", help="There was nothing in it.")] = False,
    importance: Annotated[
        Importance | None,
        typer.Option("--importance", help="What borderline messages are, on your word."),
    ] = None,
    tenant: Tenant = "default",
    login: As = "operator",
) -> None:
    """Close items; a label given with them stays, whatever a later model says."""
    from uuid import UUID

    import psycopg

    from memory_pipeline.understand import review

    if bool(review_ids) == (candidate is not None):
        raise typer.BadParameter("give either ids or --candidate")
    with opened_memory(login, tenant) as memory:
        ids = [UUID(review_id) for review_id in review_ids or ()]
        if candidate is not None:
            ids = review.ids_of_candidate(memory, candidate)
        with psycopg.connect(ready().pg_dsn("mem_ingest"), autocommit=True) as writer:
            n = review.close(memory, writer, ids, dismissed=dismiss, importance=importance)
    say(f"{n} closed")
