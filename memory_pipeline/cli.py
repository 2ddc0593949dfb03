"""The command line. Each command is thin: it calls the package and shows what comes back.

Exit codes: 0 done; 1 failed unexpectedly; 2 wrong use; 3 done, but records went to quarantine;
4 not found; 5 a name fits several; 6 critical items exceed the budget; 7 a service is not
reachable; 8 not allowed; 9 a check failed (doctor, parity).
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memory_pipeline.evaluation.command import eval_app

if TYPE_CHECKING:
    from pydantic import ValidationError

    from memory_pipeline.local.services import Services
    from memory_pipeline.memory import Memory

app = typer.Typer(
    name="memory-pipeline",
    help="Memory for teams that run LLM agents: atoms from dialog logs, on every clock.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
atom_app = typer.Typer(help="One atom: show its chain, or state, correct, take back, confirm.")
access_app = typer.Typer(help="Who may read what; run by the home's owner.")
quarantine_app = typer.Typer(help="Refused records.", invoke_without_command=True)
app.add_typer(atom_app, name="atom")
app.add_typer(access_app, name="access")
app.add_typer(quarantine_app, name="quarantine")
app.add_typer(eval_app, name="eval")


class Exit(IntEnum):
    """Why a command ended."""

    done = 0
    failed = 1
    usage = 2
    quarantined = 3
    not_found = 4
    ambiguous = 5
    over_budget = 6
    unreachable = 7
    refused = 8
    check_failed = 9


As = Annotated[str, typer.Option("--as", help="Login to work as.")]
Tenant = Annotated[str, typer.Option("--tenant", help="Tenant to work in.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON of a documented shape.")]
ValidAt = Annotated[
    str | None, typer.Option("--valid-at", help="Moment in the world; default now.")
]
KnownAt = Annotated[
    str | None, typer.Option("--known-at", help="What the agent had been told by then.")
]
RecordedAt = Annotated[
    str | None, typer.Option("--recorded-at", help="What this store held by then.")
]
Reason = Annotated[str | None, typer.Option("--reason", help="Why; kept with the statement.")]


def main() -> None:
    """Entry point: runs a command and turns known errors into messages and exit codes."""
    import logging

    from memory_pipeline.settings import settings

    with _errors_as_exit_codes():
        level = settings().log_level
        logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s")
        app()


@contextmanager
def _errors_as_exit_codes() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        code, message = _explain(error)
        if code is None:
            raise
        _say(message, error=True)
        sys.exit(code)


def _explain(error: Exception) -> tuple[Exit | None, str]:
    import psycopg
    from pydantic import ValidationError

    from memory_pipeline.afm.packing import CriticalBudgetError
    from memory_pipeline.bitemporal.reading import AmbiguousSubject
    from memory_pipeline.bitemporal.tenants import UnknownTenant
    from memory_pipeline.governance.secrets import SecretStoreError
    from memory_pipeline.local.errors import ServiceError
    from memory_pipeline.memory import AmbiguousDialog

    message = str(error)
    if isinstance(error, AmbiguousSubject):
        lines = [
            f"  {entity_id}  {', '.join(names)}  ({n_dialogs} dialogs)"
            for entity_id, names, n_dialogs in error.candidates
        ]
        return Exit.ambiguous, "\n".join([message, *lines])
    if isinstance(error, AmbiguousDialog):
        return Exit.ambiguous, "\n".join([message, *(f"  {c}" for c in error.candidates)])
    if isinstance(error, CriticalBudgetError):
        return Exit.over_budget, message
    if isinstance(error, ServiceError | SecretStoreError):
        return Exit.unreachable, message
    if isinstance(error, psycopg.errors.InsufficientPrivilege | PermissionError):
        return Exit.refused, message or "this login may not do that"
    if isinstance(error, psycopg.OperationalError):
        # the server's words may hold values, the class never does
        return Exit.unreachable, f"the database is not reachable ({type(error).__name__})"
    if isinstance(error, psycopg.Error):
        return Exit.failed, f"the database refused ({type(error).__name__} {error.sqlstate})"
    if isinstance(error, FileNotFoundError | UnknownTenant):
        return Exit.not_found, message
    if isinstance(error, KeyError):
        return Exit.not_found, f"not found: {error.args[0] if error.args else ''}"
    if isinstance(error, LookupError):
        return Exit.not_found, message
    if isinstance(error, ValidationError):
        return Exit.usage, _misfits(error)
    if isinstance(error, ValueError):
        return Exit.usage, message
    return None, message


def _misfits(error: "ValidationError") -> str:
    """Which fields, or variables of the environment, do not fit and why, without their values."""
    from memory_pipeline.settings import Settings, variable

    names = {}
    if error.title == Settings.__name__:
        names = {name: variable(name, field) for name, field in Settings.model_fields.items()}
    lines = []
    for misfit in error.errors(include_url=False, include_input=False, include_context=False):
        place = ".".join(map(str, misfit["loc"]))
        lines.append(f"{names.get(place, place)}: {misfit['msg']}" if place else misfit["msg"])
    return "\n".join(lines)


def _say(message: str, *, error: bool = False) -> None:
    typer.echo(message, err=error)


def _print_json(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def _ready() -> "Services":
    from memory_pipeline.installation import ready

    return ready()


@contextmanager
def _memory(login: str, tenant: str, audiences: list[str] | None = None) -> "Iterator[Memory]":
    from memory_pipeline.memory import Memory

    with Memory(_ready(), login=login, tenant=tenant, audiences=audiences) as memory:
        yield memory


# ---------- services


@app.command()
def up() -> None:
    """Start the services of the home and bring its schema up to date."""
    services = _ready()
    _say(f"home {services.home.path}: services are up")


@app.command()
def down() -> None:
    """Stop the services of the home."""
    from memory_pipeline.local.services import stop

    stopped = stop()
    _say(f"stopped: {', '.join(stopped) or 'nothing ran'}")


@app.command()
def status(as_json: AsJson = False) -> None:
    """What runs, without starting anything."""
    from memory_pipeline.local.services import status as read_status

    found = read_status()
    if as_json:
        _print_json(found)
        return
    _say(f"home    {found['home']}\ndatabase {found['pg_url'] or '-'}")
    for name, facts in found["services"].items():
        _say(
            f"{name:9} {facts['state']:9} {facts.get('version') or '':12} {facts['address'] or ''}"
        )


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Which services are reachable, their versions, and which guarantees they allow."""
    from memory_pipeline.local.doctor import doctor as examine

    findings = examine(_ready())
    if as_json:
        _print_json([finding.model_dump(mode="json") for finding in findings])
    else:
        for finding in findings:
            line = f"{finding.verdict:8} {finding.service:9} {finding.check}: {finding.value}"
            _say(line + (f"\n         -> {finding.remedy}" if finding.remedy else ""))
    if any(finding.verdict == "failed" for finding in findings):
        raise typer.Exit(Exit.check_failed)


# ---------- the main job


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Log files, or folders of them.")],
    tenant: Tenant = "default",
    tz: Annotated[
        str | None, typer.Option("--tz", help="Zone of times without one, an IANA name.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read logs to the end: when this returns, ask, search and context see them.

    The originals stay where they are and are not under the pipeline's control.
    """
    from memory_pipeline.pipeline import Pipeline

    with Pipeline.open(_ready(), tenant, tz) as pipeline, _progress(as_json) as told:
        ingested, labelled, extracted = pipeline.run(paths, progress=told)
        refused = pipeline.refusals(ingested)
    report = {
        "files": [
            {"file": name, "status": r.status, "n_messages": r.n_messages, "n_known": r.n_known,
             "n_quarantined": r.n_quarantined}
            for name, r in ingested.files
        ],
        "n_messages": ingested.n_messages,
        "n_known": ingested.n_known,
        "n_quarantined": ingested.n_quarantined,
        "n_critical": labelled.n_critical,
        "n_atoms": extracted.n_atoms,
        "n_closures": extracted.n_closures,
        "n_withdrawn": extracted.n_withdrawn,
        "quarantine": refused,
    }  # fmt: skip
    if as_json:
        _print_json(report)
    else:
        _say(
            f"{ingested.n_files} files: {ingested.n_messages} messages added,"
            f" {ingested.n_known} known already, {ingested.n_quarantined} records in quarantine;"
            f" {extracted.n_atoms} atoms, {extracted.n_closures} closures"
        )
    for entry in refused:
        where = f"{entry['file']}:{entry['position']}" if entry["position"] else entry["file"]
        field = f" [{entry['field']}]" if entry["field"] else ""
        _say(f"{where}{field}: {entry['reason']}: {entry['problem']}", error=True)
    if ingested.n_quarantined:
        raise typer.Exit(Exit.quarantined)


@contextmanager
def _progress(quiet: bool) -> Iterator[Any]:
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description} {task.completed:.0f}"))
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True)) as bars:
        tasks: dict[str, Any] = {}

        def told(stage: str, n: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=None)
            bars.advance(tasks[stage], n)

        yield told


@app.command()
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
    with _memory(login, tenant) as memory:
        found = memory.as_of(
            subject,
            entity_id=entity,
            predicate=predicate,
            valid_at=valid_at,
            known_at=known_at,
            recorded_at=recorded_at,
        )
    if as_json:
        _print_json(found.as_json())
        return
    _say(f"{found.subject}, valid {found.valid_at:%Y-%m-%d}, known {found.known_at:%Y-%m-%d}")
    for answer in found.answers:
        since = f"{answer.valid_from:%Y-%m-%d}" if answer.valid_from else "ever"
        until = f" to {answer.valid_to:%Y-%m-%d}" if answer.valid_to else ""
        source = ", ".join(f"{e.dialog_id} turn {e.turn}" for e in answer.evidence[:2])
        value = answer.object if answer.object is not None else f"({answer.status})"
        mark = " (contradicted)" if answer.status == "contradicted" else ""
        _say(f"  {answer.predicate:18} {value}{mark}  since {since}{until}  [{source}]")
    if not found.answers:
        _say("  nothing is known")


@app.command()
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
    with _memory(login, tenant) as memory:
        found = memory.history(
            subject, entity_id=entity, predicate=predicate, recorded_at=recorded_at
        )
    if as_json:
        _print_json([period.model_dump(mode="json") for period in found])
        return
    for period in found:
        value = period.object if period.object is not None else "(erased or secret)"
        _say(
            f"{period.predicate:18} {value}  valid {_span(period.valid_from, period.valid_to)}"
            f"  known {_span(period.known_from, period.known_to)}"
        )


@app.command()
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
    with _memory(login, tenant) as memory:
        memory.timeline(out, subject, entity_id=entity)
    _say(str(out))


@app.command()
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
    with _memory(login, tenant) as memory:
        changes = memory.diff(known_from, known_to, subject, entity_id=entity, predicate=predicate)
    if as_json:
        _print_json([change.model_dump(mode="json") for change in changes])
        return
    for change in changes:
        before = _span(*change.before) if change.before else "-"
        after = _span(*change.after) if change.after else "-"
        mark = " (corrected)" if change.corrected else ""
        _say(f"{change.kind:9} {change.predicate:18} {change.object}  {before} => {after}{mark}")
    if not changes:
        _say("nothing changed")


def _span(start: Any, end: Any) -> str:
    return f"[{f'{start:%Y-%m-%d}' if start else '…'}, {f'{end:%Y-%m-%d}' if end else '…'})"


@app.command()
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
    with _memory(login, tenant) as memory:
        hits = memory.search(text, k, valid_at=valid_at, known_at=known_at)
    if as_json:
        _print_json({"query": text, "hits": [hit.model_dump(mode="json") for hit in hits]})
        return
    for hit in hits:
        place = f"{hit.dialog_id} turn {hit.turn}" if hit.turn else hit.predicate
        _say(f"{hit.score:.4f} {hit.kind:7} {hit.subject or ''}: {hit.text}  [{place}]")


@app.command()
def context(
    dialog: Annotated[str, typer.Option("--dialog", help="The log's own id, or the store's.")],
    query: Annotated[str, typer.Option("--query")],
    budget: Annotated[int, typer.Option("--budget", min=1, help="Tokens.")],
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
    from memory_pipeline.contracts.snapshot import Levers

    chosen = "json" if as_json else output_format
    if chosen not in ("messages", "markdown", "json"):
        raise typer.BadParameter("--format is messages, markdown or json")
    with _memory(login, tenant, audience) as memory:
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
        if chosen == "markdown":
            text = snapshot.markdown
        elif chosen == "json":
            text = snapshot.model_dump_json(indent=2)
        else:
            messages = [message.model_dump(mode="json") for message in snapshot.messages]
            text = json.dumps(messages, ensure_ascii=False, indent=2)
        if out is not None:
            memory.export(snapshot, text, out)
            _say(f"{out}: {snapshot.n_tokens} of {budget} tokens, snapshot {snapshot.id}")
        else:
            _say(text)


@app.command()
def neighbours(
    subject: Annotated[str | None, typer.Option("--subject")] = None,
    entity: Annotated[str | None, typer.Option("--entity")] = None,
    depth: Annotated[int, typer.Option("--depth", min=1, max=4)] = 1,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """Facts and people around somebody in the graph."""
    with _memory(login, tenant) as memory:
        found = memory.neighbours(subject, entity_id=entity, depth=depth)
    if as_json:
        _print_json(found)
        return
    for fact in found["facts"]:
        _say(f"{fact['subject']} -- {fact['predicate']} --> {fact['object']}")


@app.command()
def rebuild(
    what: Annotated[str, typer.Argument(help="all, vectors, full_text, graph or dbt.")] = "all",
    as_json: AsJson = False,
) -> None:
    """Drop derived tables, build them anew from the truth, and check that they are equal."""
    from memory_pipeline.index.rebuild import INDEXES
    from memory_pipeline.pipeline import Pipeline

    known = (*INDEXES, "dbt")
    if what not in ("all", *known):
        raise typer.BadParameter(f"one of all, {', '.join(known)}")
    chosen = known if what == "all" else (what,)
    services = _ready()
    with Pipeline.open(services) as pipeline:
        reports = pipeline.rebuild([index for index in INDEXES if index in chosen])
    if "dbt" in chosen:
        from memory_pipeline.orchestration.dbt_project import rebuild_marts

        rebuild_marts(services)
    if as_json:
        _print_json([report.model_dump(mode="json") for report in reports])
    else:
        for report in reports:
            word = "equal" if report.is_equal else "DIFFERENT"
            _say(f"{report.index:10} {word}: {report.n_found} of {report.n_expected} items")
        if "dbt" in chosen:
            _say("dbt        built anew, its tests passed")
    if not all(report.is_equal for report in reports):
        raise typer.Exit(Exit.check_failed)


@app.command()
def ui() -> None:
    """Serve the lineage UI and run the daemon (schedule, sensors) until interrupted."""
    from memory_pipeline.orchestration.instance import serve

    serve(_ready())


@app.command()
def demo() -> None:
    """Run the main job on the project's own logs through Dagster, and show what it gives."""
    from memory_pipeline.demo import run

    run(_ready())


# ---------- atoms


@atom_app.command("show")
def atom_show(
    atom_id: Annotated[str, typer.Argument()],
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """The chain: file, message, atom, what it supports, what carries it."""
    with _memory(login, tenant) as memory:
        found = memory.show(atom_id)
    if as_json:
        _print_json(found)
        return
    atom = found["atom"]
    _say(f"atom {atom['atom_id']}: {atom['subject']} {atom['predicate']} = {atom['object']}")
    _say(f"  valid {atom['valid_from']} to {atom['valid_to']}, told {atom['told_at']}")
    _say(f"  {atom['origin']}, trust {atom['trust']}, confidence {atom['confidence']:.2f}")
    for message in found["messages"]:
        _say(f"  <- {message['dialog_id']} turn {message['turn']} ({message['file']}:"
             f"{message['position']}): {message['quote']}")  # fmt: skip
    for supported in found["supports"]:
        _say(f"  supports {supported}")
    for derived in found["derived"]:
        _say(f"  derived  {derived}")
    for snapshot in found["snapshots"]:
        _say(f"  snapshot {snapshot['snapshot_id']} ({snapshot['fidelity']})")


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
    with _memory(login, tenant) as memory:
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
    _show_made("atom_id", made, as_json)


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
    with _memory(login, tenant) as memory:
        made = memory.correct(atom_id, value, reason)
    _show_made("atom_id", made, as_json)


@atom_app.command("retract")
def atom_retract(
    atom_id: Annotated[str, typer.Argument()],
    reason: Reason = None,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """The value never held."""
    with _memory(login, tenant) as memory:
        made = memory.retract(atom_id, reason)
    _show_made("closure_id", made, as_json)


@atom_app.command("confirm")
def atom_confirm(
    atom_id: Annotated[str, typer.Argument()],
    reason: Reason = None,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """The value is right, on your word."""
    with _memory(login, tenant) as memory:
        made = memory.confirm(atom_id, reason)
    _show_made("atom_id", made, as_json)


def _show_made(name: str, made: Any, as_json: bool) -> None:
    if as_json:
        _print_json({name: str(made)})
    else:
        _say(str(made))


# ---------- access


@access_app.command("grant")
def access_grant(
    name: Annotated[str, typer.Argument(help="Login; made with its own password if new.")],
    tenant: Annotated[str, typer.Option("--tenant")],
    audience: Annotated[str, typer.Option("--audience", help="A name, or * for all.")],
) -> None:
    """Let a login read an audience of a tenant."""
    import psycopg

    from memory_pipeline.governance.access import grant
    from memory_pipeline.local.roles import OPERATOR

    services = _ready()
    if name != OPERATOR:
        services.add_login(name)
    with psycopg.connect(services.pg_url, autocommit=True) as connection:
        grant(connection, name, tenant, audience)
    _say(f"{name} may read {audience} of {tenant}")


@access_app.command("revoke")
def access_revoke(
    name: Annotated[str, typer.Argument()],
    tenant: Annotated[str, typer.Option("--tenant")],
    audience: Annotated[str, typer.Option("--audience")],
) -> None:
    """Take a grant back; it ends at once, for every connection."""
    import psycopg

    from memory_pipeline.governance.access import revoke

    with psycopg.connect(_ready().pg_url, autocommit=True) as connection:
        revoke(connection, name, tenant, audience)
    _say(f"{name} may no longer read {audience} of {tenant} by that grant")


@access_app.command("list")
def access_list(as_json: AsJson = False) -> None:
    """Rights as they stand."""
    from dataclasses import asdict

    import psycopg

    from memory_pipeline.governance.access import grants

    with psycopg.connect(_ready().pg_url, autocommit=True) as connection:
        found = grants(connection)
    if as_json:
        _print_json([asdict(right) for right in found])
        return
    for right in found:
        _say(f"{right.login:20} {right.tenant:20} {right.audience}")


# ---------- quarantine


@quarantine_app.callback()
def quarantine_list(
    context: typer.Context,
    tenant: Tenant = "default",
    login: As = "operator",
    as_json: AsJson = False,
) -> None:
    """List refused records: file, line, field, reason, remedy."""
    if context.invoked_subcommand is not None:
        return
    from memory_pipeline.ingest.quarantine import entries

    with _memory(login, tenant) as memory:
        found = entries(memory.connection)
    if as_json:
        _print_json(found)
        return
    for entry in found:
        where = f"{entry['file']}:{entry['position']}" if entry["position"] else entry["file"]
        field = f" [{entry['field']}]" if entry["field"] else ""
        _say(f"{entry['quarantine_id']} {where}{field}: {entry['reason']}: {entry['problem']}")
    if not found:
        _say("nothing is in quarantine")


@quarantine_app.command("show")
def quarantine_show(
    quarantine_id: Annotated[str, typer.Argument()],
    tenant: Tenant = "default",
    login: As = "operator",
) -> None:
    """The refused record itself, in clear."""
    from uuid import UUID

    from memory_pipeline.governance.installation_keys import installation_key
    from memory_pipeline.governance.sealing import Sealer
    from memory_pipeline.ingest.quarantine import record, shown

    with _memory(login, tenant) as memory:
        key = installation_key(memory.services.vault_client("ingest"), "quarantine")
        raw = record(memory.connection, Sealer(key), UUID(quarantine_id))
    _say("nothing was kept of it" if raw is None else shown(raw))


@quarantine_app.command("replay")
def quarantine_replay(
    tenant: Tenant = "default",
    as_json: AsJson = False,
) -> None:
    """Read refused records once more; what is read now leaves quarantine and is understood."""
    from dataclasses import asdict

    from memory_pipeline.pipeline import Pipeline

    with Pipeline.open(_ready(), tenant) as pipeline:
        report = pipeline.replay_quarantine()
        if report.n_messages:
            pipeline.run([])
    if as_json:
        _print_json(asdict(report))
        return
    _say(
        f"{report.n_replayed} of {report.n_waiting} records read,"
        f" {report.n_messages} messages added"
    )
