"""Extraction shared between processes: the same answers, and nothing left behind."""

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from memory_pipeline.contracts.statement import Extraction, Window, WindowMessage
from memory_pipeline.contracts.vocabulary import Role
from memory_pipeline.understand.extraction import processes
from memory_pipeline.understand.extraction.local import LocalExtractor, extract_windows
from memory_pipeline.understand.extraction.processes import ProcessDied, Processes
from memory_pipeline.understand.registry import builtin_predicates

TEXTS = (
    "Я живу в Казани, переехал 5 дней назад.",
    "I'm allergic to peanuts.",
    "Где ты работаешь?",
    "My brother Liam lives in Leeds.",
    "В пятницу женюсь!",
)
OFFERED = frozenset(p.name for p in builtin_predicates())
ANSWER_S = 60.0


def _windows(n_windows: int) -> list[Window]:
    messages = [
        WindowMessage(
            speaker="Anna",
            role=Role.user,
            sent_at=datetime(2025, 3, 1, tzinfo=UTC) + timedelta(hours=n),
            lang="",
            text=f"{TEXTS[n % len(TEXTS)]} {n}",
        )
        for n in range(n_windows)
    ]
    return [
        Window(messages=tuple(messages[max(0, n - 2) : n + 1]), tz="UTC") for n in range(n_windows)
    ]


def _warm(shared: Processes) -> None:
    until = time.monotonic() + ANSWER_S
    while not all(other.is_ready() for other in shared._others):
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Processes:
    """Three processes that are warm."""
    monkeypatch.setattr(processes, "LARGE", 10)
    made = Processes(3)
    made.extract(_windows(10), OFFERED, extract_windows)
    _warm(made)
    return made


def test_answers_are_those_of_one_process_in_order(shared: Processes) -> None:
    windows = _windows(31)
    n_here: list[int] = []

    def here(part: Sequence[Window], offered: frozenset[str]) -> list[Extraction]:
        n_here.append(len(part))
        return extract_windows(part, offered)

    assert shared.extract(windows, OFFERED, here) == extract_windows(windows, OFFERED)
    assert n_here == [10]
    assert shared.extract(windows[:1], OFFERED, here) == extract_windows(windows[:1], OFFERED)
    assert shared.extract([], OFFERED, here) == []


def test_a_small_load_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def started(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", started)
    windows = _windows(20)
    for n_processes in (1, 2):
        extractor = LocalExtractor(n_processes)
        assert len(extractor.extract(windows, builtin_predicates())) == len(windows)


def test_a_process_that_dies_is_an_error_and_the_next_load_starts_another(
    shared: Processes,
) -> None:
    os.kill(shared._others[1]._process.pid, signal.SIGKILL)
    windows = _windows(30)
    with pytest.raises(ProcessDied, match="ended with code -9"):
        shared.extract(windows, OFFERED, extract_windows)
    wanted = extract_windows(windows, OFFERED)
    assert shared.extract(windows, OFFERED, extract_windows) == wanted
    _warm(shared)
    assert shared.extract(windows, OFFERED, extract_windows) == wanted


def test_what_fails_there_is_tried_here(shared: Processes) -> None:
    broken = [window.model_copy(update={"tz": "No/Zone"}) for window in _windows(30)]
    with pytest.raises(Exception, match="No/Zone"):
        shared.extract(broken, OFFERED, extract_windows)
    windows = _windows(30)
    wanted = extract_windows(windows, OFFERED)
    assert shared.extract(windows, OFFERED, extract_windows) == wanted


def test_processes_end_with_what_started_them(shared: Processes) -> None:
    children = [other._process for other in shared._others]
    assert [child.poll() for child in children] == [None, None]
    shared._others.clear()
    assert [child.poll() for child in children] == [-9, -9]


def test_a_process_ends_when_its_input_does(shared: Processes) -> None:
    child = shared._others[0]._process
    assert child.stdin is not None
    child.stdin.close()
    assert child.wait(ANSWER_S) == 0
