"""The demo: the project's own logs through the whole asset graph, and what the memory then says."""

import os
import shutil
import sys
import time

import psycopg
import typer
from rich.console import Console
from rich.table import Table

from memory_pipeline.bitemporal.tenants import set_setting, setting, tenant_id
from memory_pipeline.contracts.snapshot import Snapshot
from memory_pipeline.contracts.vocabulary import Fidelity
from memory_pipeline.ingest.landing import SETTLED_S
from memory_pipeline.installation import DEFAULT_TENANT
from memory_pipeline.local.files import make_folder
from memory_pipeline.local.services import Services
from memory_pipeline.memory import Memory
from memory_pipeline.samples import sample_files

ZONE = "Europe/Moscow"
SUBJECT = "Дмитрий"
LONG_DIALOG = "launch-tihiy-chas"
QUERY = "Сколько мы можем потратить на рекламу и к какому сроку?"
BUDGET = 1500


def run(services: Services) -> None:
    """Run the demo in a home; a second time it finds all logs known. Exits with 1 where a step or
    a check of the run failed."""
    console = Console(width=100, highlight=False)
    land(services)
    run_assets(services, console)
    with Memory(services) as memory:
        three_questions(memory, console)
        the_nineteenth(memory, console)
        long_dialog(memory, console)
        around(memory, console)
    console.print(
        "\n[bold]Look further[/bold]\n"
        "  make up                      the lineage UI, with schedule and sensors\n"
        "  .venv/bin/memory-pipeline ingest PATH    your own logs\n"
        "  .venv/bin/memory-pipeline ask --subject Дмитрий --valid-at 2025-06-05\n"
    )


def land(services: Services) -> None:
    """Copy the sample logs into the landing folder, as another program would."""
    with psycopg.connect(services.pg_dsn("mem_ingest"), autocommit=True) as connection:
        tenant = tenant_id(connection, DEFAULT_TENANT, create=True)
        if setting(connection, tenant, "tz") is None:
            set_setting(connection, tenant, "tz", ZONE)
    landing = services.home.path / "landing" / DEFAULT_TENANT
    make_folder(landing.parent)
    make_folder(landing)
    settled = time.time() - 2 * SETTLED_S
    for source in sample_files():
        partial = landing / f"{source.name}.part"
        shutil.copyfile(source, partial)
        os.utime(partial, (settled, settled))
        partial.replace(landing / source.name)


def run_assets(services: Services, console: Console) -> None:
    """Materialise the whole asset graph for today through Dagster, in this process."""
    # Dagster and what it loads take seconds; only here are they needed
    from memory_pipeline.orchestration.instance import in_process_run

    console.print("[bold]The asset graph, through Dagster[/bold]")
    started: dict[str, float] = {}

    def told(step: str, what: str) -> None:
        if what == "started":
            started[step] = time.perf_counter()
        else:
            took = time.perf_counter() - started.get(step, time.perf_counter())
            console.print(f"  {step:28} {what:7} {took:6.1f} s")

    result = in_process_run(services, told=told)
    console.print(
        f"  {result.n_materialized} assets, {result.n_checks} checks,"
        f" {len(result.failed_checks)} of them failed"
    )
    if not result.success or result.failed_checks:
        for name in (*result.failed_steps, *result.failed_checks):
            typer.echo(f"failed: {name}", err=True)
        sys.exit(1)


def three_questions(memory: Memory, console: Console) -> None:
    """Where is he, where was he, and what did the agent believe?"""
    table = Table(title="Дмитрий: where?", title_justify="left")
    for column in ("question", "valid at", "known at", "answer", "since", "evidence"):
        table.add_column(column)
    for question, valid_at, known_at in (
        ("Where is he now?", "2025-11-01", None),
        ("Where was he on 17 October?", "2025-10-17", None),
        ("Believed in September about 1 November?", "2025-11-01", "2025-09-15"),
    ):
        found = memory.as_of(
            SUBJECT, predicate="location", valid_at=valid_at, known_at=known_at
        ).answers
        for answer in found:
            since = f"{answer.valid_from:%d.%m.%Y}" if answer.valid_from else "ever"
            source = ", ".join(f"{e.dialog_id} turn {e.turn}" for e in answer.evidence[:1])
            table.add_row(question, valid_at, known_at or "now", str(answer.object), since, source)
    console.print()
    console.print(table)


def the_nineteenth(memory: Memory, console: Console) -> None:
    """The answer changes on the day, though no row arrives."""
    before, after = (
        memory.as_of(SUBJECT, predicate="location", valid_at=day, known_at="2025-10-12").answers
        for day in ("2025-10-18", "2025-10-19")
    )
    console.print(
        "\nKnown on 12 October, with no new row between: on the 18th"
        f" [bold]{before[0].object}[/bold], on the 19th [bold]{after[0].object}[/bold]."
    )


def long_dialog(memory: Memory, console: Console) -> None:
    """A context of the long dialog under a budget: what it costs and what is kept."""
    snapshot = memory.context(LONG_DIALOG, QUERY, BUDGET)
    console.print(f"\n[bold]Context of «{LONG_DIALOG}»[/bold] for «{QUERY}»")
    console.print(tokens_table(snapshot))
    console.print("critical, in full:")
    for item in snapshot.items:
        if item.importance == "CRITICAL" and item.fidelity is Fidelity.full and item.rendered:
            console.print(f"  turn {item.turn or '-'}: {item.rendered}", markup=False)


def tokens_table(snapshot: Snapshot) -> Table:
    """Items and tokens of a snapshot by fidelity."""
    table = Table()
    for column in ("what", "items", "tokens"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for fidelity in Fidelity:
        items = [item for item in snapshot.items if item.fidelity is fidelity]
        n_tokens = sum(item.n_tokens for item in items)
        table.add_row(str(fidelity), str(len(items)), str(n_tokens))
    table.add_row("headings and format", "", str(snapshot.n_tokens_frame))
    table.add_section()
    table.add_row(f"of {snapshot.budget}", str(len(snapshot.items)), str(snapshot.n_tokens))
    return table


def around(memory: Memory, console: Console) -> None:
    """Who and what is next to him in the graph."""
    found = memory.neighbours(SUBJECT, depth=2)
    console.print(f"\n[bold]Around {SUBJECT} in the graph[/bold] (first of {len(found['facts'])})")
    for fact in found["facts"][:12]:
        line = f"  {fact['subject']} -- {fact['predicate']} --> {fact['object']}"
        console.print(line, markup=False)
