"""Reads of `benchmarks.bitemporal` in a reader's role: as-of look-ups and whole scans.

A read counts as its client sees it, by the wall clock, if neither the server's process nor the
client's stood in the queue for a processor meanwhile (Linux tells it in nanoseconds). On a busy
machine the scheduler takes turns between processes, and a long read is interrupted more often than
a short one: ratios over all reads would tell about the others' work. They are printed, too, and so
is the server's processor time, of all reads.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.bitemporal_database import READER, Store, one_value
from benchmarks.bitemporal_store import (
    DAY_0,
    DAYS,
    SINGLE,
    STATEMENTS_A_SUBJECT,
    Ground,
    first_atom_id,
    subject_id,
)

TURN = 25
"""So many reads of a kind in a row, then the next kind."""
QUEUED_US = 40
"""Who wakes waits so long for its processor on a machine that does nothing else."""
AT_LEAST_OF = 50
N_SCANS = 5
KNOWN_AT = DAY_0 + timedelta(days=DAYS)
VALID_AT = tuple(DAY_0 + timedelta(days=day) for day in (400, 550, 700, 850, DAYS))
"""All statements are known then, and what they tell of begins and ends between these."""

_FUNCTION = (
    "select a.*, array(select e.message_id from memory.evidence as e"
    " where e.statement_id = a.atom_id) as evidence_message_ids"
    " from memory.as_of(array[$1]::uuid[], {}, $3, $4) as a"
)
_MART = "select * from marts.atoms_as_of($3, $4) where subject_id = $1{}"
_PERIODS = (
    "select p.*, c.object, c.text from marts.atom_periods as p"
    " left join memory.atom_content as c on c.atom_id = p.atom_id and c.subject_id = p.told_of_id"
    " where p.subject_id = $1{} and (p.valid_from <= $3) is not false"
    " and (p.valid_to is null or p.valid_to > $3)"
    " and (p.known_from <= $4) is not false"
    " and (p.known_to is null or p.known_to > $4)"
)
_LOOKUP = (
    "select object, text from memory.atom_content where atom_id = $1 and subject_id = $2",
    ("uuid", "uuid"),
)
READS = {
    "lookup": _LOOKUP,
    "lookup_planned_once": _LOOKUP,
    **{
        f"{name}_{span}": (query, ("uuid", "int4", "timestamptz", "timestamptz"))
        for span, key, argument in (
            ("key", " and p.predicate_id = $2", "$2"),
            ("subject", "", "null"),
        )
        for name, query in (
            ("periods", _PERIODS.format(key)),
            ("mart", _MART.format(key.replace("p.", ""))),
            ("function", _FUNCTION.format(argument)),
        )
    },
}


@dataclass(frozen=True)
class Read:
    """What one read took, in microseconds: by the wall clock, of which so long in queues for a
    processor, and on the server's."""

    wall: float
    queued: float
    server_cpu: float


@dataclass
class Reads:
    """All reads of one kind."""

    all: list[Read] = field(default_factory=list)
    n_rows: int = 0

    @property
    def undisturbed(self) -> list[float]:
        """Wall clock of the reads that hardly waited for a processor; where these are fewer than
        one in `AT_LEAST_OF`, of so many that waited least."""
        by_wait = sorted(self.all, key=lambda read: read.queued)
        n_least = -(-len(by_wait) // AT_LEAST_OF)
        n_hardly = sum(read.queued <= QUEUED_US for read in by_wait)
        return [read.wall for read in by_wait[: max(n_hardly, n_least)]]


def as_of(store: Store, ground: Ground, size: int, n_samples: int) -> dict[str, Any]:
    """Medians of prepared as-of reads over that of a primary-key look-up, reads in turns.

    Every read is of a person drawn anew, of whom all statements are known at `KNOWN_AT`: as known
    earlier a person has few or none, and the time of such a read tells nothing about twenty. So
    first deciles compare like with like, too.

    PostgreSQL plans the look-up anew at each execution although it is prepared, since one plan
    for all partitions seems dearer to it; `over_lookup_planned_once` says how the reads compare
    with a look-up that is forced to keep its plan.
    """
    draw = np.random.default_rng(7)
    n_subjects = size // STATEMENTS_A_SUBJECT
    found = {name: Reads() for name in READS}
    with store.connect(READER) as reader:
        server = reader.pgconn
        oids = dict(reader.execute("select typname, oid from pg_type").fetchall())
        for name, (query, types) in READS.items():
            _check(server.prepare(name.encode(), query.encode(), [oids[t] for t in types]))
        for turn in range(-1, n_samples // TURN):
            moment = str(VALID_AT[turn % len(VALID_AT)])
            for name in READS:
                mode = "force_generic_plan" if name == "lookup_planned_once" else "auto"
                reader.execute(f"set plan_cache_mode = {mode}".encode())
                for _ in range(TURN):
                    number = int(draw.integers(n_subjects))
                    values = [str(subject_id(number))]
                    if name.startswith("lookup"):
                        values.insert(0, str(first_atom_id(number)))
                    else:
                        predicate = SINGLE[int(draw.integers(len(SINGLE)))]
                        values += [str(ground.predicates[predicate]), moment, str(KNOWN_AT)]
                    result, read = _timed(server, name, [value.encode() for value in values])
                    # the first turn makes the plans
                    if turn >= 0:
                        found[name].all.append(read)
                        found[name].n_rows += result.ntuples

    def over(base: str, measure: Callable[[Reads], float]) -> dict[str, float]:
        return {
            name: round(measure(reads) / measure(found[base]), 2)
            for name, reads in found.items()
            if not name.startswith("lookup")
        }

    def median(reads: Reads) -> float:
        return statistics.median(reads.undisturbed)

    return {
        "lookup_us": round(median(found["lookup"]), 1),
        "lookup_planned_once_us": round(median(found["lookup_planned_once"]), 1),
        **over("lookup", median),
        "first_decile": over("lookup", lambda r: float(np.percentile(r.undisturbed, 10))),
        "all_reads": over("lookup", lambda r: statistics.median(read.wall for read in r.all)),
        "server_cpu": over("lookup", lambda r: statistics.median(x.server_cpu for x in r.all)),
        "over_lookup_planned_once": over("lookup_planned_once", median),
        "share_undisturbed": {
            name: round(len(reads.undisturbed) / len(reads.all), 2) for name, reads in found.items()
        },
        "rows_a_read": {
            name: round(reads.n_rows / len(reads.all), 2) for name, reads in found.items()
        },
    }


def _timed(server: Any, name: str, parameters: list[bytes]) -> tuple[Any, Read]:
    """The result of a prepared read, and what it took."""
    before = _scheduled(server.backend_pid), _scheduled("thread-self")
    start = time.perf_counter_ns()
    result = server.exec_prepared(name.encode(), parameters)
    wall = time.perf_counter_ns() - start
    after = _scheduled(server.backend_pid), _scheduled("thread-self")
    _check(result)
    queued = sum(now[1] - then[1] for now, then in zip(after, before, strict=True))
    return result, Read(wall / 1e3, queued / 1e3, (after[0][0] - before[0][0]) / 1e3)


def _scheduled(process: int | str) -> tuple[int, int]:
    """For how long a process of this machine was on a processor and waited for one, in
    nanoseconds."""
    ran, waited, _ = Path(f"/proc/{process}/schedstat").read_text(encoding="ascii").split()
    return int(ran), int(waited)


def _check(result: Any) -> None:
    if result.error_message:
        raise RuntimeError(result.error_message.decode())


_HELD = (
    "(p.valid_from is null or p.valid_from <= $1) and (p.valid_to is null or p.valid_to > $1)"
    " and (p.known_from is null or p.known_from <= $2)"
    " and (p.known_to is null or p.known_to > $2)"
)
_SCANNED = "select count(*), sum(length(text)), count(object) from "
SCANS = {
    "plain_content": _SCANNED + "memory.atom_content",
    "plain_periods": "select count(*), max(atom_id::text), max(known_from) from marts.atom_periods",
    "periods": (
        "select count(*), max(atom_id::text), max(known_from) from marts.atom_periods as p where "
        + _HELD
    ),
    "periods_with_content": (
        _SCANNED + "marts.atom_periods as p"
        " join memory.atom_content as c on c.atom_id = p.atom_id and c.subject_id = p.told_of_id"
        " where " + _HELD
    ),
    "function_with_content": (
        _SCANNED + "(select distinct subject_id from memory.atom) as s"
        " cross join lateral memory.as_of(array[s.subject_id], null, $1, $2) as a"
    ),
}


def scan(store: Store) -> dict[str, Any]:
    """Seconds of scans of everything in the reader's role, and ratios. Scans take turns, and the
    best of `N_SCANS` counts; the one through the function, long as it is, is made once."""
    moment = DAY_0 + timedelta(days=DAYS)
    took: dict[str, float] = {}
    n_rows = {}
    with store.connect(READER) as reader:
        for turn in range(N_SCANS):
            for name, query in SCANS.items():
                if turn and name.startswith("function"):
                    continue
                start = time.perf_counter()
                bound = query.replace("$1", "%(at)s").replace("$2", "%(at)s")
                n_rows[name] = one_value(reader, bound, {"at": moment})
                seconds = time.perf_counter() - start
                took[name] = min(seconds, took.get(name, seconds))
    return {
        "n_rows": n_rows,
        **{f"{name}_s": round(seconds, 3) for name, seconds in took.items()},
        "periods_over_plain": round(took["periods"] / took["plain_periods"], 2),
        "periods_with_content_over_plain": round(
            took["periods_with_content"] / took["plain_content"], 2
        ),
        "function_over_plain": round(took["function_with_content"] / took["plain_content"], 2),
    }
