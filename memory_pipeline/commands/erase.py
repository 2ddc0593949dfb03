"""Commands of erasure: what is to go, how far it is, what is shown for it."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from memory_pipeline.commands.options import AsJson, Tenant
from memory_pipeline.commands.outcome import Exit
from memory_pipeline.commands.output import print_json, say
from memory_pipeline.commands.session import ready

if TYPE_CHECKING:
    from memory_pipeline.contracts.erasure import Preview, RequestStatus
    from memory_pipeline.governance.erasure.eraser import Eraser
    from memory_pipeline.local.services import Services

erase_app = typer.Typer(
    help="Erase content on request, everywhere, and show it.", invoke_without_command=True
)

RequestId = Annotated[str, typer.Argument(metavar="ID", help="Id of the request.")]
Grounds = Annotated[
    str,
    typer.Option(
        "--ground",
        help="Why: consent_withdrawn, purpose_reached, unlawful, not_necessary, stop_processing"
        " (152-FZ), gdpr_consent, gdpr_objection, gdpr_no_longer_needed, gdpr_unlawful,"
        " gdpr_obligation (GDPR), retention, operator.",
    ),
]


@contextmanager
def _opened(tenant: str) -> "Iterator[Eraser]":
    from memory_pipeline.governance.erasure.eraser import Eraser

    with Eraser(ready(), tenant) as eraser:
        yield eraser


@erase_app.callback()
def erase(
    context: typer.Context,
    subject: Annotated[str | None, typer.Option(help="About whom, by name.")] = None,
    entity: Annotated[str | None, typer.Option(help="About whom, by the entity's id.")] = None,
    dialog: Annotated[
        str | None, typer.Option(help="Which dialog, by the log's id or ours.")
    ] = None,
    message: Annotated[
        str | None, typer.Option(help="Which message, by the log's id or ours.")
    ] = None,
    file: Annotated[str | None, typer.Option(help="Which log file, by name or id.")] = None,
    atom: Annotated[str | None, typer.Option(help="Which atom, by its id.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only of this tag; may repeat.")] = None,
    predicate: Annotated[
        list[str] | None, typer.Option(help="Only of this predicate; may repeat.")
    ] = None,
    told_from: Annotated[str | None, typer.Option("--from", help="Told from this moment.")] = None,
    told_to: Annotated[str | None, typer.Option("--to", help="Told before this moment.")] = None,
    ground: Grounds = "operator",
    stop_learning: Annotated[
        bool, typer.Option("--stop-learning", help="Learn nothing of this scope later either.")
    ] = False,
    originals: Annotated[
        str, typer.Option(help="Logs outside the landing folder: report, or rewrite in place.")
    ] = "report",
    reference: Annotated[
        str | None, typer.Option(help="The asker's reference; goes at certification.")
    ] = None,
    expect: Annotated[
        str | None, typer.Option(help="Fingerprint of a dry run that must still fit.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would go, and stop.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="Fence and leave the rest to the daemon.")
    ] = False,
    tenant: Annotated[
        str | None,
        typer.Option(help="Tenant to work in; given alone, all of it is to go."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Erase what fits all that is given: fenced at once, then run to its certificate.

    Exit code 0 only when certified; 10 when nothing but mentions elsewhere wait for a person.
    """
    if context.invoked_subcommand is not None:
        return
    from memory_pipeline.contracts.erasure import Ground, Originals, Selector
    from memory_pipeline.installation import DEFAULT_TENANT

    named = (subject, entity, dialog, message, file, atom, tag, predicate, told_from, told_to)
    is_whole = tenant is not None and not any(named)
    tenant = tenant or DEFAULT_TENANT
    services = ready()
    with _opened(tenant) as eraser:
        selector = Selector(
            subject=subject,
            entity_id=UUID(entity) if entity else None,
            dialog=dialog,
            message=message,
            file=file,
            atom_id=UUID(atom) if atom else None,
            tags=tuple(tag or ()),
            predicates=tuple(predicate or ()),
            told_from=eraser.moment(told_from),
            told_to=eraser.moment(told_to),
            whole_tenant=is_whole,
        )
        if dry_run or not yes:
            preview = eraser.preview(selector)
            _show_preview(preview, as_json and dry_run)
            if dry_run:
                return
            _ask()
        request_id = eraser.request(
            selector,
            Ground(ground),
            originals=Originals(originals),
            stops_learning=stop_learning,
            reference=reference,
            preview_digest=expect,
        )
        if no_wait:
            _end(eraser.status(request_id), tenant, as_json, waits=False)
            return
    _end(_run(services, tenant, request_id, quiet=as_json), tenant, as_json)


def _run(services: "Services", tenant: str, request_id: UUID, *, quiet: bool) -> "RequestStatus":
    """Run the sensor's own job to its end in this process, and read how the request stands."""
    from memory_pipeline.governance.erasure.eraser import Eraser
    from memory_pipeline.orchestration.erasure import erasure_job, run_config
    from memory_pipeline.orchestration.instance import in_process_run

    if not quiet:
        say(f"request {request_id}: running", error=True)
    try:
        result = in_process_run(
            services, job=erasure_job, tenant=tenant, run_config=run_config(request_id)
        )
    except Exception:
        # whatever broke it off is raised on, and told by its kind
        whose = "" if tenant == "default" else f" --tenant {tenant}"
        say(
            f"the run of request {request_id} broke off, what was done is done; "
            f"go on with `memory-pipeline erase run {request_id}{whose}`",
            error=True,
        )
        raise
    for problem in result.problems:
        say(problem, error=True)
    with Eraser(services, tenant) as eraser:
        return eraser.status(request_id)


def _ask() -> None:
    if not sys.stdin.isatty():
        raise typer.BadParameter("nobody is there to ask; look at --dry-run, then give --yes")
    typer.confirm("Erase this for good?", abort=True)


def _show_preview(preview: "Preview", as_json: bool) -> None:
    if as_json:
        print_json(preview.model_dump(mode="json"))
        return
    for name, n in preview.counts.items():
        say(f"{name:24} {n}")
    say(f"fingerprint              {preview.digest}")


def _end(status: "RequestStatus", tenant: str, as_json: bool, *, waits: bool = True) -> None:
    """Print a request and end with the exit code for how it stands."""
    if as_json:
        print_json(status.model_dump(mode="json"))
    else:
        _show(status, tenant)
    if waits:
        raise typer.Exit(_exit_code(status))


def _exit_code(status: "RequestStatus") -> Exit:
    from memory_pipeline.contracts.erasure import Block, ErasureState

    if status.state is ErasureState.certified:
        return Exit.done
    if status.state is ErasureState.cancelled:
        return Exit.refused
    by_block = {
        Block.review_open: Exit.review_open,
        Block.legal_hold: Exit.refused,
        Block.store_unreachable: Exit.unreachable,
        Block.preview_changed: Exit.refused,
    }
    return (
        Exit.check_failed if status.block is None else by_block.get(status.block, Exit.check_failed)
    )


def _show(status: "RequestStatus", tenant: str) -> None:
    whose = "" if tenant == "default" else f" --tenant {tenant}"
    due = f", due {status.due_on}" if status.due_on else ""
    held = f", held up: {status.block}" if status.block else ""
    say(f"{status.request_id}  {status.state}{held}  ({status.ground}{due})")
    for name, n in status.n_items.items():
        say(f"  {name:22} {n}")
    if status.n_open_mentions:
        say(
            f"  {status.n_open_mentions} mentions elsewhere wait: `erase mentions{whose}`,"
            f" `erase waive{whose}`"
        )
    for store in status.stores:
        left = f", {store.n_left} left" if store.n_left else ""
        note = f"  {store.note}" if store.note else ""
        say(f"  {store.store:22} {store.state}{left}{note}")
    if status.block == "residue_found":
        say("  what failed above still holds some of it: close what reads or writes there, then")
        say(f"  memory-pipeline erase run {status.request_id}{whose}")
    if status.block == "preview_changed":
        say("  what would go is not what the dry run showed: look at --dry-run again, then")
        say(f"  memory-pipeline erase cancel {status.request_id}{whose}, and ask anew")


@erase_app.command("list")
def erase_list(tenant: Tenant = "default", as_json: AsJson = False) -> None:
    """All requests, newest first."""
    with _opened(tenant) as eraser:
        found = eraser.list()
    if as_json:
        print_json([status.model_dump(mode="json") for status in found])
        return
    for status in found:
        due = f"due {status.due_on}" if status.due_on else "no term"
        say(
            f"{status.request_id}  {status.state:14} {status.block or '':18} {status.ground}  {due}"
        )
    if not found:
        say("nothing was asked to be erased")


@erase_app.command("status")
def erase_status(
    request_id: RequestId, tenant: Tenant = "default", as_json: AsJson = False
) -> None:
    """One request: its state, what it reaches, every store."""
    with _opened(tenant) as eraser:
        _end(eraser.status(UUID(request_id)), tenant, as_json, waits=False)


@erase_app.command("run")
def erase_run(request_id: RequestId, tenant: Tenant = "default", as_json: AsJson = False) -> None:
    """Carry a request on, from wherever it stands."""
    _end(_run(ready(), tenant, UUID(request_id), quiet=as_json), tenant, as_json)


@erase_app.command("cancel")
def erase_cancel(
    request_id: RequestId, tenant: Tenant = "default", as_json: AsJson = False
) -> None:
    """Take a request back, until keys are destroyed."""
    with _opened(tenant) as eraser:
        eraser.cancel(UUID(request_id))
        _end(eraser.status(UUID(request_id)), tenant, as_json, waits=False)


@erase_app.command("mentions")
def erase_mentions(
    request_id: RequestId, tenant: Tenant = "default", as_json: AsJson = False
) -> None:
    """Erased values found in other dialogs, which wait for a person."""
    with _opened(tenant) as eraser:
        found = eraser.mentions(UUID(request_id))
    if as_json:
        print_json([mention.model_dump(mode="json") for mention in found])
        return
    for mention in found:
        say(
            f"{mention.mention_id}  {mention.dialog} {mention.turn}  {mention.state}  {mention.text}"
        )
    if not found:
        say("no mention elsewhere was found")


@erase_app.command("waive")
def erase_waive(
    request_id: RequestId,
    reason: Annotated[str, typer.Option("--reason", help="Why they stay; goes at certification.")],
    mention: Annotated[
        list[str] | None, typer.Option("--mention", help="Only this one; may repeat.")
    ] = None,
    tenant: Tenant = "default",
    as_json: AsJson = False,
) -> None:
    """Let mentions elsewhere stay (another person's trip to the same town)."""
    _decide(request_id, tenant, as_json, lambda eraser: eraser.waive(
        UUID(request_id), reason, [UUID(one) for one in mention] if mention else None
    ))  # fmt: skip


@erase_app.command("mask")
def erase_mask(
    request_id: RequestId,
    mention: Annotated[
        list[str] | None, typer.Option("--mention", help="Only this one; may repeat.")
    ] = None,
    tenant: Tenant = "default",
    as_json: AsJson = False,
) -> None:
    """Redact mentions elsewhere, too; the request erases them when it goes on."""
    _decide(request_id, tenant, as_json, lambda eraser: eraser.mask(
        UUID(request_id), [UUID(one) for one in mention] if mention else None
    ))  # fmt: skip


def _decide(request_id: str, tenant: str, as_json: bool, decide: "Callable[[Eraser], int]") -> None:
    with _opened(tenant) as eraser:
        n_decided = decide(eraser)
        status = eraser.status(UUID(request_id))
        if not n_decided and str(status.state) in ("received", "fenced", "discovered"):
            # going on from here cannot be taken back
            raise ValueError(
                f"request {request_id} is {status.state} and no mention waits for a word: carry it on"
                " with erase run, or take it back with erase cancel"
            )
    if status.n_open_mentions == 0:
        status = _run(ready(), tenant, UUID(request_id), quiet=as_json)
    _end(status, tenant, as_json)


@erase_app.command("verify")
def erase_verify(
    request_id: Annotated[str | None, typer.Argument(metavar="ID")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every certified request.")] = False,
    tenant: Tenant = "default",
    as_json: AsJson = False,
) -> None:
    """Read every store again, for one request or all; exit code 9 where something came back."""
    if (request_id is None) != everything:
        raise typer.BadParameter("give the id of a request, or --all")
    with _opened(tenant) as eraser:
        reports = eraser.verify(UUID(request_id) if request_id else None)
    if as_json:
        print_json([report.model_dump(mode="json") for report in reports])
    else:
        for report in reports:
            say(f"{report.store:24} {report.state}  {report.note or ''}")
    if any(report.state in ("failed", "open") for report in reports):
        raise typer.Exit(Exit.check_failed)


@erase_app.command("replay")
def erase_replay(as_json: AsJson = False) -> None:
    """Erase again what a database restored from before forgot, in all tenants; exit code 0 once
    every request is certified."""
    import psycopg

    from memory_pipeline.governance import audit, strays
    from memory_pipeline.governance.erasure import replay
    from memory_pipeline.governance.erasure.eraser import Eraser
    from memory_pipeline.installation import ready as make_ready

    services = make_ready(to_replay=True)
    with (
        psycopg.connect(services.pg_url, autocommit=True) as owner,
        psycopg.connect(services.pg_dsn("mem_eraser"), autocommit=True) as connection,
    ):
        found = replay.replay(owner, connection, services.home.path)
        is_behind = audit.is_behind(connection, services.home.path / audit.HEADS_FILE)
    if found or is_behind:
        # what was destroyed since the backup is stored again when it is told again
        strays.destroy(services, ends_lost=True)
    statuses = []
    for tenant, request_id in found:
        # not by the job: that opens no home before all of them are fenced
        with Eraser(services, tenant) as eraser:
            statuses.append(eraser.run(request_id))
    if as_json:
        print_json([status.model_dump(mode="json") for status in statuses])
    else:
        for status in statuses:
            _show(status, tenant)
        if not statuses:
            say("the database lacks no erasure")
        if is_behind:
            say("the audit log ends before its exported heads; see `memory-pipeline audit verify`")
    # what is refused or unreachable is worse than what waits for a person
    codes = {_exit_code(status) for status in statuses} - {Exit.done, Exit.review_open}
    waits = any(status.n_open_mentions for status in statuses)
    raise typer.Exit(min(codes, default=Exit.review_open if waits else Exit.done))


@erase_app.command("certificate")
def erase_certificate(
    request_id: RequestId, tenant: Tenant = "default", as_json: AsJson = False
) -> None:
    """The certificate: readable, or as JSON."""
    from memory_pipeline.governance.erasure.certificate import readable

    with _opened(tenant) as eraser:
        body = eraser.certificate(UUID(request_id))
    if as_json:
        print_json(body)
    else:
        say(readable(body))


@erase_app.command("act")
def erase_act(
    request_id: Annotated[str | None, typer.Argument(metavar="ID")] = None,
    facts: Annotated[
        Path | None, typer.Option(help="YAML with what only the operator knows; see --template.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the papers.")] = Path(),
    template: Annotated[
        bool, typer.Option("--template", help="Print an empty facts file.")
    ] = False,
    tenant: Tenant = "default",
) -> None:
    """The act of destruction and the log's extract (152-FZ), or the confirmation (GDPR).

    They name the person and are yours to keep for three years; nothing of them stays here.
    """
    from memory_pipeline.governance.erasure.act import TEMPLATE, read_facts, write_papers

    if template:
        say(TEMPLATE)
        return
    if request_id is None or facts is None:
        raise typer.BadParameter(
            "give the request's id and --facts; --template prints an empty one"
        )
    stated = read_facts(facts)
    with _opened(tenant) as eraser:
        body = eraser.certificate(UUID(request_id))
    for path in write_papers(body, stated, out):
        say(str(path))


@erase_app.command("hold")
def erase_hold(
    entity: Annotated[
        str | None, typer.Option(help="Whose data, by the entity's id; none: the whole tenant's.")
    ] = None,
    subject: Annotated[str | None, typer.Option(help="Whose data, by name.")] = None,
    lift: Annotated[bool, typer.Option("--lift", help="End the hold.")] = False,
    tenant: Tenant = "default",
) -> None:
    """Set or lift a legal hold: what is under one is not erased."""
    with _opened(tenant) as eraser:
        eraser.hold(subject=subject, entity_id=UUID(entity) if entity else None, is_held=not lift)
    say("the hold is lifted" if lift else "under a legal hold from now on")
