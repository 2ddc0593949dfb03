"""Processes that extract a part of the windows of a large load beside the run's own.

Each is a plain child that reads pickled requests from its standard input and writes pickled
answers: unlike a forked one it inherits no connection and no lock, unlike a spawned one it runs
the caller's main module not again, and it ends when its input ends, which it does with the run.
Only windows (masked texts) and results pass, and only between these two processes. An answer
does not depend on where it was made.
"""

import pickle
import select
import subprocess
import sys
import weakref
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import IO, cast

from memory_pipeline.contracts.statement import Extraction, Window
from memory_pipeline.understand.gated import expressions_read, take_as_read

LARGE = 400
"""After how many windows a load counts as large: a process takes as long as that to be of use."""
_WARM_UP = 32
"""How many windows a new process reads first, while the run's own reads them as well."""

Windows = Sequence[Window]
Offered = frozenset[str]
Extract = Callable[[Windows, Offered], list[Extraction]]


class ProcessDied(RuntimeError):
    """A process that extracted beside the run's own ended. What was stored stays; run again."""


class Processes:
    """Shares the windows of one extractor's calls between `n_processes`, this one among them.

    None is started before `LARGE` windows were asked for, and none is waited for before it is
    warm. They end with this object.
    """

    def __init__(self, n_processes: int) -> None:
        self._n_others = n_processes - 1
        self._n_windows = 0
        self._others: list[_Other] = []

    def extract(self, windows: Windows, offered: Offered, here: Extract) -> list[Extraction]:
        """As `here(windows, offered)`. Raises `ProcessDied`."""
        self._n_windows += len(windows)
        if not self._n_others or self._n_windows < LARGE:
            return here(windows, offered)
        if not self._others:
            self._others = [_Other(windows[:_WARM_UP], offered) for _ in range(self._n_others)]
        try:
            return self._shared(windows, offered, here)
        except BaseException:
            # an answer that nobody took would be taken for the next one
            self._others.clear()
            raise

    def _shared(self, windows: Windows, offered: Offered, here: Extract) -> list[Extraction]:
        ready = [other for other in self._others if other.is_ready()]
        cuts = [n * len(windows) // (len(ready) + 1) for n in range(len(ready) + 2)]
        own, *parts = [windows[a:b] for a, b in pairwise(cuts)]
        for other, part in zip(ready, parts, strict=True):
            other.send(part, offered)
        found = here(own, offered)
        for other, part in zip(ready, parts, strict=True):
            answer = other.receive()
            # what fails there fails here, where its error is told as ever
            found += here(part, offered) if answer is None else answer
        return found


class _Other:
    """One process beside this one."""

    def __init__(self, first: Windows, offered: Offered) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # an error's message may hold a text
        )
        weakref.finalize(self, _end, self._process)
        self._is_warm = False
        self._write(expressions_read())
        self.send(first, offered)

    def is_ready(self) -> bool:
        """Whether it has read its first windows."""
        if not self._is_warm and select.select([self._process.stdout], [], [], 0)[0]:
            self.receive()
            self._is_warm = True
        return self._is_warm

    def send(self, windows: Windows, offered: Offered) -> None:
        """Asks it for windows. Raises `ProcessDied`."""
        self._write((list(windows), offered))

    def _write(self, said: object) -> None:
        assert self._process.stdin is not None  # noqa: S101 - it was opened with a pipe
        try:
            pickle.dump(said, self._process.stdin)
            self._process.stdin.flush()
        except BrokenPipeError as problem:
            raise self._died() from problem

    def receive(self) -> list[Extraction] | None:
        """What it found in the windows asked for last, or None where it failed. Raises
        `ProcessDied`."""
        assert self._process.stdout is not None  # noqa: S101 - it was opened with a pipe
        try:
            return cast("list[Extraction] | None", pickle.load(self._process.stdout))  # noqa: S301 - our own child
        except (EOFError, pickle.UnpicklingError) as problem:
            raise self._died() from problem

    def _died(self) -> ProcessDied:
        _end(self._process)
        return ProcessDied(
            f"a process that extracts ended with code {self._process.returncode}; run again, or set "
            "MEMORY_EXTRACT_WORKERS=1"
        )


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except BrokenPipeError:
                continue


def serve(requests: IO[bytes], answers: IO[bytes], extract: Extract) -> None:
    """Answers requests until they end."""
    while True:
        try:
            windows, offered = pickle.load(requests)  # noqa: S301 - our own parent
        except EOFError:
            return
        answer: list[Extraction] | None
        try:
            answer = extract(windows, offered)
        except Exception:  # noqa: BLE001 - the parent meets the same error and tells it
            answer = None
        pickle.dump(answer, answers)
        answers.flush()


def main() -> None:
    """The process that is started. It is told first what was read of the rules' expressions."""
    take_as_read(pickle.load(sys.stdin.buffer))  # noqa: S301 - our own parent
    from memory_pipeline.understand.extraction.local import extract_windows

    serve(sys.stdin.buffer, sys.stdout.buffer, extract_windows)


if __name__ == "__main__":
    main()
