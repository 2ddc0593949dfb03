"""The home: one folder with all that an installation keeps, and the account it belongs to.

    home/               0700 (0710, group of the service account, where root made it)
      home.json         account and places, fixed when the home is made
      credentials.json  0600
      lock              held by whoever starts or stops services
      run/              pid and ports of each service
      logs/  postgres/  graph/  vault/  programs/    of the account that the services run as

PostgreSQL refuses to run as root, so a home made by root has its services run as an unprivileged
account. Where that account cannot reach the home (root's own folder is closed to it), these five
folders live under `/var/lib/memory_pipeline/` and the home has links to them: no folder outside
the home is opened for anybody.
"""

import fcntl
import hashlib
import os
import pwd
import secrets
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memory_pipeline.local.credentials import Credentials
from memory_pipeline.local.errors import HomeError
from memory_pipeline.local.files import (
    SELF,
    Owner,
    make_folder,
    read_json,
    write_json,
)

SERVICE_FOLDERS = ("logs", "postgres", "graph", "vault", "programs")
ELSEWHERE = Path("/var/lib/memory_pipeline")
UNPRIVILEGED = ("memory-pipeline", "nobody", "daemon")
# a unix socket's address has 108 bytes on Linux, its name here 14
SOCKET_PATH_BYTES = 107
SOCKET_NAME = "/.s.PGSQL.5432"


@dataclass(frozen=True)
class Account:
    """An account of the operating system."""

    name: str
    uid: int
    gid: int


@dataclass(frozen=True)
class Home:
    """One installation's folder. `account` is set where services run as another account."""

    path: Path
    account: Account | None
    socket_dir: Path
    # tells a home from a later one at the same path
    id: str

    @property
    def owner(self) -> Owner:
        """Who owns the services' files."""
        return SELF if self.account is None else Owner(self.account.uid, self.account.gid)

    @property
    def logs(self) -> Path:
        """Folder of the services' logs."""
        return (self.path / "logs").resolve()

    @property
    def run(self) -> Path:
        """Folder of the records of running services."""
        return self.path / "run"

    def service(self, name: str) -> Path:
        """Data folder of a service, without links."""
        return (self.path / name).resolve()

    def credentials(self) -> Credentials:
        """The home's credentials as they are on disk now."""
        return Credentials(self.path / "credentials.json")

    @contextmanager
    def lock(self, timeout_s: float) -> Iterator[None]:
        """Hold the home against other starters and stoppers; raises `HomeError` after a wait."""
        handle = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            deadline = time.monotonic() + timeout_s
            while True:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise HomeError(
                            f"another process has been starting or stopping the services of "
                            f"{self.path} for {timeout_s:.0f} s; end it and try again"
                        ) from None
                    time.sleep(0.05)
            yield
        finally:
            os.close(handle)


def own_account() -> Account:
    """The account of this process. Raises `HomeError` for a uid without a name."""
    uid = os.geteuid()
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        raise HomeError(
            f"uid {uid} has no name in the system's account list; PostgreSQL needs one: add it "
            "to /etc/passwd, or use an external server by MEMORY_PG_URL"
        ) from None
    return Account(entry.pw_name, uid, entry.pw_gid)


def find_account(wanted: str | None) -> Account:
    """The unprivileged account for a root's services. Raises `HomeError` where there is none."""
    names = (wanted,) if wanted else UNPRIVILEGED
    for name in names:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
    raise HomeError(
        f"no unprivileged account among {', '.join(names)}; name one by "
        "MEMORY_PIPELINE_SERVICE_ACCOUNT"
    )


def reaches(account: Account, path: Path, permission: str = "x") -> bool:
    """Whether `account` may search (x) or read (r) `path`, tried as that account (root only)."""
    tried = subprocess.run(
        ["test", f"-{permission}", str(path)],
        user=account.uid,
        group=account.gid,
        extra_groups=[],
        cwd="/",
        check=False,
    )
    return tried.returncode == 0


def _socket_dir(home: Path, services: Path) -> Path:
    near = services / "postgres" / "socket"
    if len(os.fsencode(str(near) + SOCKET_NAME)) <= SOCKET_PATH_BYTES:
        return near
    mark = hashlib.sha256(os.fsencode(str(home))).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"memory-pipeline-{mark}"


def open_home(path: Path) -> Home | None:
    """The home at `path` if it was made, without making or starting anything.

    Raises `HomeError` where it belongs to another account.
    """
    facts = read_json(path / "home.json") if _ours(path) else {}
    if not facts:
        return None
    account = facts["account"]
    return Home(
        path=path,
        account=Account(**account) if account else None,
        socket_dir=Path(facts["socket_dir"]),
        id=facts["id"],
    )


def _ours(path: Path) -> bool:
    try:
        owner = path.stat().st_uid
    except FileNotFoundError:
        return False
    if owner != os.geteuid():
        raise HomeError(
            f"{path} belongs to uid {owner}, this process runs as uid {os.geteuid()}; run as "
            "that account or set MEMORY_PIPELINE_HOME"
        )
    return True


def make_home(path: Path, service_account: str | None = None) -> Home:
    """The home at `path`, made where it is missing. Raises `HomeError`."""
    made = open_home(path)
    if made is not None:
        return made
    path.parent.mkdir(parents=True, exist_ok=True)
    make_folder(path)
    _ours(path)
    lockable = Home(path, None, path, id="")
    with lockable.lock(timeout_s=60):
        return open_home(path) or _make(path, service_account)


def _make(path: Path, service_account: str | None) -> Home:
    own_account()
    account = find_account(service_account) if os.geteuid() == 0 else None
    owner = SELF if account is None else Owner(account.uid, account.gid)
    base = path
    path.chmod(0o700)
    if account is not None:
        _open_to(path, account)
        if not reaches(account, path):
            path.chmod(0o700)
            base = _elsewhere(path, account)
    for name in SERVICE_FOLDERS:
        make_folder(base / name, owner)
        if base != path and not (path / name).is_symlink():
            (path / name).symlink_to(base / name)
    make_folder(path / "run")
    home = Home(path, account, _socket_dir(path, base.resolve()), id=secrets.token_hex(8))
    facts = {
        "id": home.id,
        "account": None if account is None else vars(account),
        "socket_dir": str(home.socket_dir),
    }
    write_json(path / "home.json", facts)
    return home


def _open_to(folder: Path, account: Account) -> None:
    os.chown(folder, -1, account.gid)
    folder.chmod(0o710)


def _elsewhere(home: Path, account: Account) -> Path:
    first_link = home / SERVICE_FOLDERS[0]
    if first_link.is_symlink():
        # the maker of this home died half-way
        return first_link.resolve().parent
    # random, not derived from the home's name: data of a deleted home is never taken for ours
    base = ELSEWHERE / secrets.token_hex(8)
    try:
        make_folder(ELSEWHERE, mode=0o711)
        make_folder(base)
    except OSError as error:
        raise HomeError(
            f"the services' account {account.name} cannot reach {home}, and {ELSEWHERE} cannot "
            f"be made ({error.strerror}); set MEMORY_PIPELINE_HOME to a folder under parents that "
            "this account may pass"
        ) from None
    _open_to(base, account)
    return base
