"""Server processes: started detached, recorded, recognised again, stopped."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]

from memory_pipeline.local.errors import StartError
from memory_pipeline.local.files import read_json, write_json
from memory_pipeline.local.home import Home

# psutil derives a start from the boot time, which clock corrections move a little
START_TOLERANCE_S = 2.0
LOG_LIMIT_BYTES = 10_000_000
POLL_S = 0.05

# kept so that a child that ends while this process lives is reaped
_children: list[subprocess.Popen[bytes]] = []
_children_guard = threading.Lock()


@dataclass(frozen=True)
class Record:
    """What the home remembers of a service: its process, and its ports also while it is down."""

    pid: int = 0
    started: float = 0.0
    ready: bool = False
    ports: list[int] = field(default_factory=list)
    version: str = ""

    @classmethod
    def read(cls, home: Home, service: str) -> "Record":
        """The record of a service, an empty one where it never ran."""
        return cls(**read_json(home.run / f"{service}.json"))

    def write(self, home: Home, service: str) -> "Record":
        """Keep the record."""
        write_json(home.run / f"{service}.json", dict(vars(self)))
        return self

    def lives(self) -> bool:
        """Whether the very process that was recorded still runs."""
        return find_process(self) is not None


def find_process(record: Record) -> psutil.Process | None:
    """The recorded process, never another one that got its pid."""
    if record.pid <= 0:
        return None
    with _children_guard:
        _children[:] = [child for child in _children if child.poll() is None]
    try:
        process = psutil.Process(record.pid)
        if abs(process.create_time() - record.started) > START_TOLERANCE_S:
            return None
        return None if process.status() == psutil.STATUS_ZOMBIE else process
    except psutil.NoSuchProcess:
        return None


def record_of(pid: int) -> Record:
    """A record of a process that runs now; an empty one if it has ended."""
    try:
        return Record(pid=pid, started=psutil.Process(pid).create_time())
    except psutil.NoSuchProcess:
        return Record()


def name_of(pid: int) -> str | None:
    """The program of a process; None for one that has ended, reaped or not."""
    try:
        found = psutil.Process(pid)
        return None if found.status() == psutil.STATUS_ZOMBIE else str(found.name())
    except psutil.NoSuchProcess:
        return None


def strays(argument: str) -> list[Record]:
    """Processes started with exactly this argument: a starter died before it recorded one."""
    return [
        record_of(process.pid)
        for process in psutil.process_iter(["cmdline"])
        if argument in (process.info["cmdline"] or [])
    ]


def spawn(
    home: Home,
    command: Sequence[str],
    *,
    log: str,
    folder: Path,
    environment: Mapping[str, str] | None = None,
) -> Record:
    """Start a server in a session of its own, as the home's service account, files born 0600.

    It outlives this process; its output goes to `log` in the home's log folder.
    """
    account = home.account
    identity: dict[str, Any] = (
        {} if account is None else {"user": account.uid, "group": account.gid, "extra_groups": []}
    )
    path = home.logs / log
    if path.exists() and path.stat().st_size > LOG_LIMIT_BYTES:
        path.replace(path.with_name(f"{log}.1"))
    output = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        os.fchown(output, home.owner.uid, home.owner.gid)
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=folder,
            env=clean_environment(folder) | dict(environment or {}),
            start_new_session=True,
            umask=0o077,
            **identity,
        )
    finally:
        os.close(output)
    with _children_guard:
        _children.append(child)
    return record_of(child.pid)


def run(home: Home, command: Sequence[str], *, folder: Path, timeout_s: float) -> None:
    """Run a program of a service to its end as the service account. Raises `StartError`."""
    account = home.account
    identity: dict[str, Any] = (
        {} if account is None else {"user": account.uid, "group": account.gid, "extra_groups": []}
    )
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        cwd=folder,
        env=clean_environment(folder),
        umask=0o077,
        timeout=timeout_s,
        check=False,
        **identity,
    )
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines()[-1:] or ["no message"]
        raise StartError(f"{Path(command[0]).name} ended with {done.returncode}: {reason[0]}")


def clean_environment(folder: Path) -> dict[str, str]:
    """A server's environment: nothing of the caller's, whose variables may be secrets."""
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LC_ALL": "C",
        "TZ": "UTC",
    }


def wait_ready(record: Record, ready: Callable[[], bool], timeout_s: float) -> bool:
    """Wait until `ready`; False when the process ended first. Raises `StartError` in the end."""
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if ready():
            return True
        if not record.lives():
            return False
        time.sleep(POLL_S)
    raise StartError(f"not ready after {timeout_s:.0f} s")


def end(record: Record, polite: signal.Signals, timeout_s: float = 60.0) -> bool:
    """Stop a recorded process and wait for its end; False if it was not running."""
    process = find_process(record)
    if process is None:
        return False
    process.send_signal(polite)
    deadline = time.monotonic() + timeout_s
    while record.lives() and time.monotonic() < deadline:
        time.sleep(POLL_S)
    if record.lives():
        process.kill()
        while record.lives():
            time.sleep(POLL_S)
    return True
