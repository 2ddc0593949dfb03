"""The dbt project: where it is, its manifest, and one build of it.

The manifest is made explicitly, when it is missing or older than the project, under a lock; dbt
needs no database for it. Everything that dbt writes lies in the home. What a build wrote is
removed after it, since its logs and results quote the database's errors, and those quote rows.
"""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

from memory_pipeline.local.services import Services

PROJECT = Path(__file__).parents[2] / "dbt_project"
PARTIAL_PARSE = "partial_parse.msgpack"
NOT_SOURCE = {"target", "logs", "dbt_packages"}
# a parse of the project asks for the variables, not for their truth
NOWHERE = {
    "MEMORY_DBT_HOST": "localhost",
    "MEMORY_DBT_USER": "mem_builder",
    "MEMORY_DBT_PASSWORD": "unknown",
    "MEMORY_DBT_DBNAME": "memory",
    "MEMORY_DBT_PORT": "5432",
}
QUIET = {"DBT_LOG_LEVEL_FILE": "none", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}


class DbtError(RuntimeError):
    """dbt could not do what it was asked; the message names nodes, never the database's words."""


@dataclass(frozen=True)
class DbtFolders:
    """Where dbt writes, in a home."""

    root: Path

    @property
    def target(self) -> Path:
        """Manifest and parse cache."""
        return self.root / "target"

    @property
    def manifest(self) -> Path:
        """The manifest that the assets are made from."""
        return self.target / "manifest.json"

    @property
    def fingerprint(self) -> Path:
        """Hash of the project that the manifest was made from."""
        return self.target / "fingerprint"


def folders(home: Path) -> DbtFolders:
    """dbt's folders in a home, made where they are missing."""
    root = home / "dbt"
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    for folder in (root, root / "target"):
        folder.mkdir(mode=0o700, exist_ok=True)
    return DbtFolders(root)


def project_fingerprint(project: Path = PROJECT) -> str:
    """Hash of the project's files and dbt's version."""
    digest = hashlib.sha256(version("dbt-core").encode())
    for path in sorted(project.rglob("*")):
        relative = path.relative_to(project)
        if path.is_file() and NOT_SOURCE.isdisjoint(relative.parts):
            digest.update(f"{relative}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def prepare_manifest(
    home: Path, project: Path = PROJECT, variables: Mapping[str, str] = NOWHERE
) -> Path:
    """The manifest of the project as it is now; made if it is missing or stale (about 8 s).

    With the `variables` of the later builds, the first of them need not parse again. Raises
    `DbtError` where there is no project, or dbt cannot parse it.
    """
    if not (project / "dbt_project.yml").is_file():
        raise DbtError(
            f"{project} has no dbt_project.yml; run from a checkout, where dbt_project/ lies "
            "beside the package"
        )
    places = folders(home)
    with _locked(places.root / "lock"):
        wanted = project_fingerprint(project)
        if places.manifest.exists() and _read(places.fingerprint) == wanted:
            return places.manifest
        places.fingerprint.unlink(missing_ok=True)
        _parse(places, project, variables)
        places.fingerprint.write_text(wanted)
    return places.manifest


def _parse(places: DbtFolders, project: Path, variables: Mapping[str, str]) -> None:
    done = subprocess.run(
        [
            dbt_executable(),
            "parse",
            "--quiet",
            "--project-dir",
            str(project),
            "--profiles-dir",
            str(project),
            "--target-path",
            str(places.target),
            "--log-path",
            str(places.root),
        ],
        env={**os.environ, **variables, **QUIET, "DBT_USE_COLORS": "false"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        # before the database is asked anything, dbt's words are about the project's own text
        raise DbtError(f"dbt could not parse {project}:\n{done.stdout}{done.stderr}")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _read(path: Path) -> str | None:
    return path.read_text() if path.exists() else None


def dbt_executable() -> str:
    """The `dbt` of this environment, which need not be on PATH."""
    beside = Path(sys.executable).parent / "dbt"
    return str(beside) if beside.exists() else shutil.which("dbt") or "dbt"


# unit tests prove the models' logic once, in the tests, not in each run
BUILD = (dbt_executable(), "build", "--exclude-resource-type", "unit_test")


def connection_variables(services: Services) -> dict[str, str]:
    """The variables that `profiles.yml` reads, as the builder's login. They hold its password."""
    facts = conninfo_to_dict(services.pg_dsn("mem_builder"))
    return {
        "MEMORY_DBT_HOST": str(facts.get("host", "localhost")),
        "MEMORY_DBT_USER": str(facts["user"]),
        "MEMORY_DBT_PASSWORD": str(facts.get("password", "")),
        "MEMORY_DBT_DBNAME": str(facts["dbname"]),
        "MEMORY_DBT_PORT": str(facts.get("port", "5432")),
    }


def build_environment(services: Services, written: Path) -> dict[str, str]:
    """The environment of one build that writes into `written`. It holds the builder's password."""
    return {
        **os.environ,
        **connection_variables(services),
        **QUIET,
        "DBT_TARGET_PATH": str(written),
        "DBT_LOG_PATH": str(written),
        "DBT_PROJECT_DIR": str(PROJECT),
        "DBT_PROFILES_DIR": str(PROJECT),
    }


@contextmanager
def build_folder(home: Path, *, keep_parse: bool = True) -> Iterator[Path]:
    """A folder for what one build writes, gone after it. The parse cache outlives it, unless the
    build has other variables than the runs, for which dbt parses everything again."""
    places = folders(home)
    written = Path(tempfile.mkdtemp(prefix="build-", dir=places.root))
    try:
        if (places.target / PARTIAL_PARSE).exists():
            shutil.copy(places.target / PARTIAL_PARSE, written)
        yield written
        if keep_parse and (written / PARTIAL_PARSE).exists():
            (written / PARTIAL_PARSE).replace(places.target / PARTIAL_PARSE)
    finally:
        shutil.rmtree(written, ignore_errors=True)


def rebuild_marts(services: Services) -> None:
    """Build every model anew and test all of it, also where the schemas were dropped.

    Raises `DbtError` that names the failed nodes.
    """
    with build_folder(services.home.path, keep_parse=False) as written:
        done = subprocess.run(
            [*BUILD, "--full-refresh", "--quiet", "--vars", "{check_all: true}"],
            env=build_environment(services, written),
            cwd=PROJECT,
            capture_output=True,
            check=False,
        )
        if done.returncode:
            raise DbtError(failed_nodes(written, done.returncode))


def failed_nodes(written: Path, returncode: int) -> str:
    """Which nodes of a build failed, without the database's words about them."""
    results = written / "run_results.json"
    if not results.exists():
        return f"dbt ended with {returncode} before it ran a node"
    failed = [
        f"{result['unique_id']} ({result['status']})"
        for result in json.loads(results.read_bytes())["results"]
        if result["status"] in ("error", "fail")
    ]
    return (
        f"dbt ended with {returncode}: {', '.join(failed) or 'no node is named'}; "
        "run dbt build --select NODE in dbt_project/ to see the database's words"
    )
