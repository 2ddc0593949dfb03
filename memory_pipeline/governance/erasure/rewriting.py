"""Original log files: found again by the keyed hash of their bytes, and rewritten.

A message's text is replaced by its redacted form wherever the file has it: plain, or escaped as
JSON writers do. The file takes the old one's place by one rename, so it is always whole.
"""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from uuid import UUID

from memory_pipeline.governance.erasure.mentions import redacted
from memory_pipeline.governance.erasure.work import Connection, Work
from memory_pipeline.ingest.folder_log import open_log
from memory_pipeline.ingest.landing import log_files

_BLOCK = 1 << 20
_MAX_BYTES = 512 << 20


def file_ids(work: Work, connection: Connection) -> dict[bytes, UUID]:
    """The plan's source files by the keyed hash of their bytes."""
    rows = connection.execute(
        "select f.file_key, f.file_id from memory.log_file as f where f.tenant_id = %(tenant)s"
        " and f.file_id in ("
        " select item_id from memory.erasure_item where request_id = %(request)s"
        "  and kind = 'file' and action in ('erase', 'redact')"
        " union select m.file_id from memory.erasure_span as s join memory.message as m"
        "  using (message_id) where s.request_id = %(request)s)",
        work.bound,
    ).fetchall()
    return {bytes(row[0]): row[1] for row in rows}


def files_of_plan(work: Work, connection: Connection, paths: Iterable[Path]) -> Iterator[Path]:
    """Those of some logs that are source files of the plan."""
    wanted = file_ids(work, connection)
    if not wanted:
        return
    for path in paths:
        if _key(work, path) in wanted:
            yield path


def _key(work: Work, path: Path) -> bytes:
    mac = work.keys.file(work.tenant_id)
    with open_log(path) as stream:
        while block := stream.read(_BLOCK):
            mac.update(block)
    return work.keys.short(mac)


def outside(work: Work, connection: Connection) -> list[UUID]:
    """The plan's source files of which no sealed copy lies in the archive: they were read where
    their owner keeps them."""
    folder = work.home / "archive" / str(work.tenant_id)
    return [
        file_id
        for file_id in file_ids(work, connection).values()
        if not (folder / f"{file_id}.sealed").exists()
    ]


def rewrite_originals(work: Work, *, rewrites: bool) -> str:
    """Before the content goes: rewrite the originals that are shown to us, or count them; returns
    a code of what was done and what was not. Files already rewritten are no longer recognised, so
    a run that died goes on with the others."""
    found = outside(work, work.eraser)
    if not found:
        return "none_outside"
    if not rewrites:
        return f"{len(found)}_reported"
    n_done = n_partly = 0
    texts = _texts(work)
    wanted = file_ids(work, work.eraser)
    for path in log_files(_shown(work)):
        if path.is_dir() or path.is_symlink() or path.stat().st_size > _MAX_BYTES:
            continue
        file_id = wanted.get(_key(work, path))
        if file_id is None:
            continue
        if replace_texts(path, texts.get(file_id, [])):
            n_done += 1
        else:
            n_partly += 1
    n_left = len(found) - n_done - n_partly
    counts = ((n_done, "rewritten"), (n_partly, "partly_rewritten"), (n_left, "not_shown"))
    return ",".join(f"{n}_{word}" for n, word in counts if n)


def _shown(work: Work) -> list[Path]:
    """The paths given, and those where the plan's logs were read, as far as they are there."""
    rows = work.eraser.execute(
        "select read_from from memory.log_file_content"
        " where file_id = any(%s) and read_from is not null",
        (outside(work, work.eraser),),
    ).fetchall()
    read_from = [Path(row[0]) for row in rows]
    return list(dict.fromkeys([*work.originals, *(path for path in read_from if path.exists())]))


def _texts(work: Work) -> dict[UUID, list[tuple[str, str]]]:
    rows = work.eraser.execute(
        "with planned as ("
        " select message_id, int4range(span_start, span_end) as span from memory.erasure_span"
        "  where request_id = %(request)s"
        " union all select m.message_id, int4range(0, greatest(m.n_chars, 1))"
        "  from memory.erasure_item as i join memory.message as m on m.message_id = i.item_id"
        "  where i.request_id = %(request)s and i.kind = 'message' and i.action = 'erase'),"
        " spans as (select message_id, range_agg(span) as spans from planned group by message_id)"
        " select m.file_id, c.text, array(select array[lower(span), upper(span)]"
        "  from unnest(s.spans) as span) from spans as s"
        " join memory.message as m using (message_id)"
        " join memory.message_content as c using (message_id, dialog_id)",
        work.bound,
    ).fetchall()
    by_file: dict[UUID, list[tuple[str, str]]] = {}
    for file_id, old, gone in rows:
        by_file.setdefault(file_id, []).append((old, redacted(old, gone)))
    return by_file


def replace_texts(path: Path, texts: Iterable[tuple[str, str]]) -> bool:
    """Put redacted texts in place of whole ones in a file; False where one was not found in any
    form. Longer ones first, so that a text inside another does not break it. Raises `OSError`."""
    content = path.read_bytes()
    found_all = True
    for old, new in sorted(texts, key=lambda pair: len(pair[0]), reverse=True):
        if old == new:
            continue
        found = False
        for written, instead in _forms(old, new):
            if written in content:
                content = content.replace(written, instead)
                found = True
        found_all &= found
    partial = path.with_name(f".{path.name}.rewriting")
    facts = path.stat()
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        partial.chmod(facts.st_mode & 0o777)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return found_all


def _forms(old: str, new: str) -> Iterator[tuple[bytes, bytes]]:
    seen = set()
    for form in (
        lambda text: text.encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: json.dumps(text)[1:-1].encode(),
        lambda text: json.dumps(text, ensure_ascii=False)[1:-1].encode(),
        lambda text: json.dumps(text, ensure_ascii=False)[1:-1].replace("/", "\\/").encode(),
        lambda text: json.dumps(text)[1:-1].replace("/", "\\/").encode(),
    ):
        pair = (form(old), form(new))
        if pair[0] not in seen:
            seen.add(pair[0])
            yield pair
