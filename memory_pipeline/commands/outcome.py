"""How a command ends: its exit code, and the words for an error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING

from memory_pipeline.commands.output import say

if TYPE_CHECKING:
    from pydantic import ValidationError


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
    review_open = 10
    not_replayed = 11


@contextmanager
def errors_as_exit_codes() -> Iterator[None]:
    """Turn an error that the block raises into a message and the exit code for its kind; what is
    not known is raised on."""
    try:
        yield
    except Exception as error:
        code, message = _explain(error)
        if code is None:
            raise
        say(message, error=True)
        sys.exit(code)


def _explain(error: Exception) -> tuple[Exit | None, str]:
    import psycopg
    from pydantic import ValidationError

    from memory_pipeline.afm.packing import CriticalBudgetError
    from memory_pipeline.bitemporal.reading import AmbiguousSubject
    from memory_pipeline.bitemporal.tenants import UnknownTenant
    from memory_pipeline.governance.erasure.replay import NotReplayed
    from memory_pipeline.governance.erasure.scope import AmbiguousFile, AmbiguousMessage
    from memory_pipeline.governance.secrets import SecretStoreError
    from memory_pipeline.local.errors import ServiceError, UnknownLogin
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
    if isinstance(error, AmbiguousFile | AmbiguousMessage):
        return Exit.ambiguous, "\n".join(
            [message, *(f"  {found_id}  {where}" for found_id, where in error.candidates)]
        )
    if isinstance(error, CriticalBudgetError):
        return Exit.over_budget, message
    if isinstance(error, UnknownLogin):
        return Exit.not_found, message
    if isinstance(error, NotReplayed):
        return Exit.not_replayed, message
    if isinstance(error, ServiceError | SecretStoreError):
        return Exit.unreachable, message
    # by module, not by class: importing them costs a light command half a second
    if type(error).__module__.partition(".")[0] in ("requests", "hvac", "neo4j", "urllib3"):
        service = "graph server" if type(error).__module__.startswith("neo4j") else "vault"
        return Exit.unreachable, f"the {service} is not reachable ({type(error).__name__})"
    if type(error).__module__.partition(".")[0] in ("dagster_postgres", "sqlalchemy", "psycopg2"):
        return Exit.unreachable, (
            f"the database of the runs is not reachable ({type(error).__name__}); "
            "`memory-pipeline doctor` says why"
        )
    if isinstance(error, psycopg.errors.InsufficientPrivilege | PermissionError):
        return Exit.refused, message or "this login may not do that"
    if isinstance(error, psycopg.OperationalError):
        # the server's words may hold values, the class never does
        return Exit.unreachable, (
            f"the database is not reachable ({type(error).__name__}); "
            "`memory-pipeline doctor` says why"
        )
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
    if isinstance(error, ValueError) and "hexadecimal UUID" in message:
        return Exit.usage, "an id is a UUID, as the commands print it"
    if isinstance(error, ValueError):
        return Exit.usage, message
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return Exit.usage, f"{where}{error.strerror or message}"
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
        # what our own checks say is said in words already
        said = misfit["msg"].removeprefix("Value error, ")
        lines.append(f"{names.get(place, place)}: {said}" if place else said)
    return "\n".join(lines)
