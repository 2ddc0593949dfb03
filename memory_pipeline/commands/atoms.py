"""Commands about one atom."""

from typing import Annotated, Any

import typer

from memory_pipeline.commands.options import As, AsJson, Reason, Tenant
from memory_pipeline.commands.output import print_json, say
from memory_pipeline.commands.session import opened_memory

atom_app = typer.Typer(help="One atom: show its chain, or state, correct, take back, confirm.")


@atom_app.command("show")
def atom_show(
    atom_id: Annotated[str, typer.Argument()],
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """The chain: file, message, atom, what it supports, what carries it."""
    with opened_memory(login, tenant) as memory:
        found = memory.show(atom_id)
    if as_json:
        print_json(found)
        return
    atom = found["atom"]
    say(f"atom {atom['atom_id']}: {atom['subject']} {atom['predicate']} = {atom['object']}")
    say(f"  said of {atom['valid_from']} to {atom['valid_to']}, told {atom['told_at']}")
    for start, end in found["holds"]:
        say(f"  holds {start or 'since ever'} to {end or 'until further notice'}")
    if not found["holds"]:
        say("  holds nowhere: taken back, called off or overruled")
    say(f"  {atom['origin']}, trust {atom['trust']}, confidence {atom['confidence']:.2f}")
    for message in found["messages"]:
        say(f"  <- {message['dialog_id']} turn {message['turn']} ({message['file']}:"
             f"{message['position']}): {message['quote']}")  # fmt: skip
    for supported in found["supports"]:
        say(f"  supports {supported}")
    for derived in found["derived"]:
        say(f"  derived  {derived}")
    for snapshot in found["snapshots"]:
        say(f"  snapshot {snapshot['snapshot_id']} ({snapshot['fidelity']})")


@atom_app.command("add")
def atom_add(
    predicate: Annotated[str, typer.Option("--predicate")],
    value: Annotated[str, typer.Option("--object")],
    subject: Annotated[str | None, typer.Option("--subject")] = None,
    entity: Annotated[str | None, typer.Option("--entity")] = None,
    valid_from: Annotated[str | None, typer.Option("--from")] = None,
    valid_to: Annotated[str | None, typer.Option("--to")] = None,
    audience: Annotated[list[str] | None, typer.Option("--audience")] = None,
    reason: Reason = None,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """State a fact on your word."""
    if (subject is None) == (entity is None):
        raise typer.BadParameter("give either --subject or --entity")
    with opened_memory(login, tenant) as memory:
        made = memory.remember(
            subject,
            predicate,
            value,
            entity_id=entity,
            valid_from=valid_from,
            valid_to=valid_to,
            audiences=audience or (),
            reason=reason,
        )
    _show_made("atom_id", made, f"recorded {predicate} = {value}", as_json)


@atom_app.command("correct")
def atom_correct(
    atom_id: Annotated[str, typer.Argument()],
    value: Annotated[str, typer.Option("--object", help="What held instead.")],
    reason: Reason = None,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """The value never held; another did in its place."""
    with opened_memory(login, tenant) as memory:
        made = memory.correct(atom_id, value, reason)
    _show_made("atom_id", made, f"recorded {value} in its place", as_json)


@atom_app.command("retract")
def atom_retract(
    atom_id: Annotated[str, typer.Argument()],
    reason: Reason = None,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """The value never held."""
    with opened_memory(login, tenant) as memory:
        made = memory.retract(atom_id, reason)
    _show_made("closure_id", made, f"taken back atom {atom_id}", as_json)


@atom_app.command("confirm")
def atom_confirm(
    atom_id: Annotated[str, typer.Argument()],
    reason: Reason = None,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """The value is right, on your word."""
    with opened_memory(login, tenant) as memory:
        made = memory.confirm(atom_id, reason)
    _show_made("atom_id", made, f"confirmed atom {atom_id}", as_json)


def _show_made(name: str, made: Any, did: str, as_json: bool) -> None:
    if as_json:
        print_json({name: str(made)})
    else:
        say(f"{did}: {name.removesuffix('_id')} {made}")
