"""What commands print."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

_COMMANDING = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
"""What makes a terminal do something, or turns the order of what it shows."""


def say(message: str, *, error: bool = False) -> None:
    """One message for a person. It may quote a log, so what would command the terminal is spelt."""
    typer.echo(_COMMANDING.sub(lambda c: f"\\u{ord(c[0]):04x}", message), err=error)


def print_json(value: Any) -> None:
    """A value of a documented shape, for programs."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def words(value: Any) -> str:
    """An atom's value for people: of an event what happened, and with whom."""
    if not isinstance(value, dict):
        return str(value)
    others = ", ".join(map(str, value.get("participants") or ()))
    return f"{value.get('what', '')} ({others})" if others else str(value.get("what", ""))


def shortened(text: str, n_chars: int = 80) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= n_chars else line[: n_chars - 1] + "…"


@contextmanager
def progress(quiet: bool) -> Iterator[Any]:
    """What a stage tells its progress to: bars on a terminal, else None."""
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
