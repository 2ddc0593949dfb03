"""Reads of `benchmarks.bitemporal` in a reader's role: as-of look-ups and whole scans."""

import statistics
import time
from collections import defaultdict
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

TURN = 20
"""So many reads of a kind in a row, then the next kind."""

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


def as_of(store: Store, ground: Ground, size: int, n_samples: int) -> dict[str, Any]:
    """Medians of prepared as-of reads over that of a primary-key look-up, reads in turns.

    PostgreSQL plans the look-up anew at each execution although it is prepared, since one plan
    for all partitions seems dearer to it; `over_lookup_planned_once` says how the reads compare
    with a look-up that is forced to keep its plan.
    """
    draw = np.random.default_rng(7)
    n_subjects = size // STATEMENTS_A_SUBJECT
    took: dict[str, list[float]] = defaultdict(list)
    on_cpu: dict[str, list[float]] = defaultdict(list)
    rows: dict[str, int] = defaultdict(int)
    with store.connect(READER) as reader:
        server = reader.pgconn
        oids = dict(reader.execute("select typname, oid from pg_type").fetchall())
        for name, (query, types) in READS.items():
            _check(server.prepare(name.encode(), query.encode(), [oids[t] for t in types]))
        for turn in range(n_samples // TURN):
            moment = str(DAY_0.replace(year=2024 + turn % 3))
            for name in READS:
                mode = "force_generic_plan" if name == "lookup_planned_once" else "auto"
                reader.execute(f"set plan_cache_mode = {mode}".encode())
                before = _cpu_seconds(server.backend_pid)
                for _ in range(TURN):
                    number = int(draw.integers(n_subjects))
                    values = [str(subject_id(number))]
                    if name.startswith("lookup"):
                        values.insert(0, str(first_atom_id(number)))
                    else:
                        predicate = SINGLE[int(draw.integers(len(SINGLE)))]
                        values += [str(ground.predicates[predicate]), moment, moment]
                    parameters = [value.encode() for value in values]
                    start = time.perf_counter()
                    result = server.exec_prepared(name.encode(), parameters)
                    took[name].append(time.perf_counter() - start)
                    _check(result)
                    rows[name] += result.ntuples
                on_cpu[name].append(_cpu_seconds(server.backend_pid) - before)
    medians = {name: statistics.median(values) for name, values in took.items()}
    lookup, planned_once = medians.pop("lookup"), medians.pop("lookup_planned_once")
    return {
        "lookup_us": round(lookup * 1e6, 1),
        "lookup_planned_once_us": round(planned_once * 1e6, 1),
        **{name: round(value / lookup, 2) for name, value in medians.items()},
        # what a busy machine disturbs least
        "first_decile_over_lookup": {
            name: round(float(np.percentile(took[name], 10) / np.percentile(took["lookup"], 10)), 2)
            for name in medians
        },
        "server_cpu_over_lookup": {
            name: round(statistics.median(on_cpu[name]) / statistics.median(on_cpu["lookup"]), 2)
            for name in medians
        },
        "over_lookup_planned_once": {
            name: round(value / planned_once, 2) for name, value in medians.items()
        },
        "rows_a_read": {name: round(rows[name] / len(took[name]), 2) for name in READS},
    }


def _cpu_seconds(pid: int) -> float:
    """How long a process of this machine was on a processor (Linux tells it in nanoseconds)."""
    return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9


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
    """Seconds of scans of everything in the reader's role, the best of two each, and ratios."""
    moment = DAY_0 + timedelta(days=DAYS)
    took: dict[str, float] = {}
    n_rows = {}
    with store.connect(READER) as reader:
        for name, query in SCANS.items():
            for _ in range(2):
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
