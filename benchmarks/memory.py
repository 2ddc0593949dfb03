"""Peak memory of reading one log: `python -m benchmarks.memory FORMAT MEGABYTES [--ingest]`.

A log of that size is generated, read whole in this process, and the process's peak resident memory
printed as JSON with its share before reading. With `--ingest` it is not only read but prepared as
ingestion does (sensitive values found and masked); nothing is stored.
"""

import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memory_pipeline.contracts.message import RawMessage
from memory_pipeline.ingest.folder_log import open_log
from memory_pipeline.ingest.readers.base import HEAD_BYTES, ReadOptions, choose

_START = datetime(2024, 1, 1, tzinfo=UTC)
_WORDS = "Собрание перенесли на среду, the draft is ready and nobody objects. "
_CHARS = 1_500
"""Length of a generated text: long, so that a gigabyte is read in a minute."""


def _text(n: int) -> str:
    return f"{n} {_WORDS * (_CHARS // len(_WORDS))}"


def _at(n: int) -> datetime:
    return _START + timedelta(seconds=n)


def _json_lines() -> Iterator[str]:
    n = 0
    while True:
        line = {"dialog_id": f"d{n // 50}", "speaker": f"P{n % 7}", "text": _text(n)}
        yield json.dumps(line | {"sent_at": _at(n).isoformat()}, ensure_ascii=False) + "\n"
        n += 1


def _telegram() -> Iterator[str]:
    n = 0
    while True:
        message = {"id": n, "type": "message", "date_unixtime": str(int(_at(n).timestamp())),
                   "from": f"P{n % 7}", "from_id": f"user{n % 7}", "text": _text(n)}  # fmt: skip
        yield (", " if n else "") + json.dumps(message, ensure_ascii=False)
        n += 1


def _chatgpt() -> Iterator[str]:
    n = 0
    while True:
        mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None,
                                            "children": ["m0"]}}  # fmt: skip
        for k in range(20):
            mapping[f"m{k}"] = {
                "id": f"m{k}", "parent": f"m{k - 1}" if k else "root", "children": [f"m{k + 1}"],
                "message": {"id": f"{n}-{k}", "author": {"role": "user" if k % 2 else "assistant"},
                            "create_time": _at(n * 20 + k).timestamp(), "weight": 1.0,
                            "content": {"content_type": "text", "parts": [_text(n)]}},
            }  # fmt: skip
        mapping["m19"]["children"] = []
        one = {"id": f"c{n}", "title": "t", "create_time": _at(n).timestamp(),
               "current_node": "m19", "mapping": mapping}  # fmt: skip
        yield (", " if n else "") + json.dumps(one, ensure_ascii=False)
        n += 1


def _whatsapp() -> Iterator[str]:
    n = 0
    while True:
        yield f"{_at(n):%d/%m/%Y, %H:%M} - P{n % 7}: {_text(n)}\n"
        n += 1


FORMATS: dict[str, tuple[str, Callable[[], Iterator[str]], str]] = {
    "jsonl": ("", _json_lines, ""),
    "telegram": ('{"name": "c", "type": "personal_chat", "id": 1, "messages": [', _telegram, "]}"),
    "chatgpt": ("[", _chatgpt, "]"),
    "whatsapp": ("", _whatsapp, ""),
}
"""What stands before the records, the records, and what stands behind them."""


def write(path: Path, name: str, n_bytes: int) -> None:
    """A log of about that size."""
    before, records, after = FORMATS[name]
    with path.open("w", encoding="utf-8") as stream:
        stream.write(before)
        for n, record in enumerate(records()):
            stream.write(record)
            if n % 50 == 0 and stream.tell() >= n_bytes:
                break
        stream.write(after)


def read(path: Path, name: str, *, ingest: bool) -> int:
    """Read a log whole and keep nothing; returns how many messages it had."""
    from memory_pipeline.understand.sensitive.find import find

    n_messages = 0
    with open_log(path) as stream:
        reader = choose(stream.peek(HEAD_BYTES)[:HEAD_BYTES], path.name)
        if reader.name != name:
            raise RuntimeError(f"{reader.name} took a log of {name}")
        for record in reader.read(stream, ReadOptions(now=datetime.now(UTC))):
            if not isinstance(record, RawMessage):
                raise RuntimeError(f"a record was refused: {record.reason}")
            if ingest:
                find(record.text)
            n_messages += 1
    return n_messages


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(name: str, n_megabytes: int, *, ingest: bool = False) -> None:
    """Generate, read, and print what it took."""
    with tempfile.TemporaryDirectory() as folder:
        small, path = Path(folder) / "small", Path(folder) / "log"
        write(small, name, 1_000_000)
        read(small, name, ingest=ingest)
        before = _peak_mb()
        write(path, name, n_megabytes * 1_000_000)
        started = time.process_time()
        n_messages = read(path, name, ingest=ingest)
    print(
        json.dumps(
            {
                "format": name,
                "megabytes": n_megabytes,
                "n_messages": n_messages,
                "peak_mb": round(_peak_mb(), 1),
                "before_mb": round(before, 1),
                "cpu_seconds": round(time.process_time() - started, 1),
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), ingest="--ingest" in sys.argv[3:])
