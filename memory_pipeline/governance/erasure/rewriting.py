"""Original log files: found again by the keyed hash of their bytes, and rewritten.

A message's text is replaced by its redacted form wherever the file has it: plain, or escaped as
JSON writers do. One with a secret, whose value nobody here may read, is known by the keyed hash of
its text as first read. Names of a person who goes wholly are masked wherever they stand. The file
takes the old one's place by one rename, so it is always whole.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from memory_pipeline.bitemporal.keys import normal_text
from memory_pipeline.governance.erasure.mentions import redacted
from memory_pipeline.governance.erasure.work import Connection, Work
from memory_pipeline.ingest.folder_log import open_log
from memory_pipeline.ingest.landing import log_files

_BLOCK = 1 << 20
_MAX_BYTES = 512 << 20
_JSON_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_SAID = re.compile(r"(?:^|(?<=\n))[^\n]*?: ([^\n]+)")

Span = tuple[int, int]


@dataclass(frozen=True)
class Telling:
    """A message of which something goes: its stored text, the characters that go, where secrets'
    masks stand in it, and the keyed hash of its text as first read."""

    text: str
    spans: Sequence[Span]
    masks: Sequence[Span]
    text_hash: bytes

    def without(self, clear: str) -> str:
        """The text as first read without what goes; all of it where it cannot be told apart."""
        pieces, at = [], 0
        for start, end in self.masks:
            pieces += [re.escape(self.text[at:start]), "(.+?)"]
            at = end
        found = re.fullmatch("".join([*pieces, re.escape(self.text[at:])]), clear, re.DOTALL)
        if found is None:
            return redacted(clear, [(0, len(clear))])
        # where the characters of the stored text stand in the clear one
        shift, moved = 0, []
        places = list(range(len(self.text) + 1))
        for n, (start, end) in enumerate(self.masks, start=1):
            moved.append((start, end, found.span(n)))
            shift = found.end(n) - end
            places[end:] = [place + shift for place in range(end, len(self.text) + 1)]
        spans: list[Span] = []
        for start, end in self.spans:
            spans.append((places[start], places[end]))
            spans += [at for low, high, at in moved if low < end and start < high]
        return redacted(clear, spans)


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


@dataclass(frozen=True)
class Original:
    """A source file of the plan that its owner keeps; `holds` where something that goes is known to
    be in it, else nobody noted what it brought."""

    file_id: UUID
    file_key: bytes
    holds: bool


def outside(work: Work, connection: Connection) -> list[Original]:
    """The plan's source files that never landed: they were read where their owner keeps them. Of a
    file that was read before that was noted a sealed copy in the archive tells."""
    folder = work.home / "archive" / str(work.tenant_id)
    rows = connection.execute(
        "select file_id, file_key, has_landed, holds from memory.planned_files(%s)"
        " where holds or may_hold order by file_id",
        (work.request_id,),
    ).fetchall()
    return [
        Original(file_id, bytes(file_key), holds)
        for file_id, file_key, has_landed, holds in rows
        if not has_landed
        and (has_landed is not None or not (folder / f"{file_id}.sealed").exists())
    ]


def rewrite_originals(work: Work, *, rewrites: bool) -> str:
    """Before the content goes: rewrite the originals that are shown to us, or count them; returns
    a code of what was done and what was not. Files already rewritten are no longer recognised, so
    a run that died goes on with the others."""
    found = outside(work, work.eraser)
    holding = {original.file_key: original for original in found if original.holds}
    doubtful = {original.file_key: original for original in found if not original.holds}
    if not found:
        return "none_outside"
    if not rewrites:
        return _said((len(holding), "reported"), (len(doubtful), "may_hold"))
    n_done = n_partly = 0
    tellings, names = _tellings(work), _names(work)
    missed: dict[str, None] = {}
    for path in log_files(_shown(work, found)):
        if path.is_dir() or path.is_symlink() or path.stat().st_size > _MAX_BYTES:
            continue
        key = _key(work, path)
        if key in doubtful:
            rewrite(path, tellings.values(), names, work.keys.text)
        if key not in holding:
            continue
        told = _told_in(work, holding[key].file_id, tellings)
        left = rewrite(path, told, names, work.keys.text)
        if left:
            n_partly += 1
            missed |= dict.fromkeys(left)
        else:
            n_done += 1
    n_left = len(holding) - n_done - n_partly
    partly = ":".join(["partly_rewritten", *missed])
    return _said(
        (n_done, "rewritten"),
        (n_partly, partly),
        (n_left, "not_shown"),
        (len(doubtful), "may_hold"),
    )


def _said(*counts: tuple[int, str]) -> str:
    return ",".join(f"{n}_{word}" for n, word in counts if n)


def _shown(work: Work, originals: Iterable[Original]) -> list[Path]:
    """The paths given, and those where the plan's logs were read, as far as they are there."""
    rows = work.eraser.execute(
        "select read_from from memory.log_file_content"
        " where file_id = any(%s) and read_from is not null",
        ([original.file_id for original in originals],),
    ).fetchall()
    read_from = [Path(row[0]) for row in rows]
    return list(dict.fromkeys([*work.originals, *(path for path in read_from if path.exists())]))


def _told_in(work: Work, file_id: UUID, tellings: Mapping[UUID, Telling]) -> list[Telling]:
    rows = work.eraser.execute(
        "select memory.messages_of_file(%s, %s)", (file_id, list(tellings))
    ).fetchall()
    return [tellings[row[0]] for row in rows]


def _tellings(work: Work) -> dict[UUID, Telling]:
    """The messages of which something goes, by id."""
    rows = work.eraser.execute(
        "with planned as ("
        " select message_id, int4range(span_start, span_end) as span from memory.erasure_span"
        "  where request_id = %(request)s"
        " union all select m.message_id, int4range(0, greatest(m.n_chars, 1))"
        "  from memory.erasure_item as i join memory.message as m on m.message_id = i.item_id"
        "  where i.request_id = %(request)s and i.kind = 'message' and i.action = 'erase'),"
        " spans as (select message_id, range_agg(span) as spans from planned group by message_id)"
        " select m.message_id, c.text, m.text_hash,"
        "  array(select array[lower(r), upper(r)] from unnest(s.spans) as r order by 1),"
        "  array(select array[u.span_start, u.span_end] from memory.secret_use as u"
        "   where u.message_id = m.message_id order by u.span_start)"
        " from spans as s"
        " join memory.message as m using (message_id)"
        " join memory.message_content as c using (message_id, dialog_id)",
        work.bound,
    ).fetchall()
    return {
        message_id: Telling(
            text,
            [(start, min(end, len(text))) for start, end in spans],
            [(start, end) for start, end in masks],
            bytes(text_hash),
        )
        for message_id, text, text_hash, spans, masks in rows
    }


def _names(work: Work) -> list[str]:
    """Names of the person who goes wholly."""
    rows = work.eraser.execute(
        "select distinct n.name from memory.erasure_request as r"
        " join memory.erasure_item as i using (request_id)"
        " join memory.name_content as n on n.name_id = i.item_id"
        " where r.request_id = %(request)s and i.kind = 'name' and i.action = 'erase'"
        "  and memory.is_whole_subject(r.scope)"
        "  and n.entity_id = any (memory.scope_members(r.scope))",
        work.bound,
    ).fetchall()
    return sorted((row[0] for row in rows), key=len, reverse=True)


def rewrite(
    path: Path,
    tellings: Iterable[Telling],
    names: Sequence[str],
    text_key: Callable[[str], bytes],
) -> list[str]:
    """Rewrite one file; returns codes of what is left in it: `text_not_found`, `secret_not_found`
    (a text with a secret that the file has in a form of its own), `name_left`. Raises `OSError`."""
    plain: list[tuple[str, str]] = []
    hashed: dict[bytes, Telling] = {}
    for telling in tellings:
        if telling.masks:
            hashed[telling.text_hash] = telling
        else:
            plain.append((telling.text, redacted(telling.text, telling.spans)))
    content = path.read_bytes()
    left = []
    content, found_all = _without_texts(content, plain)
    if not found_all:
        left.append("text_not_found")
    content, found = _without_secrets(content, hashed, text_key)
    if len(found) < len(hashed):
        left.append("secret_not_found")
    content = _without_names(content, names)
    if any(written in content for name in names for written, _ in _forms(name, "")):
        left.append("name_left")
    _put(path, content)
    return left


def replace_texts(path: Path, texts: Iterable[tuple[str, str]]) -> bool:
    """Put redacted texts in place of whole ones in a file; False where one was not found in any
    form. Raises `OSError`."""
    content, found_all = _without_texts(path.read_bytes(), texts)
    _put(path, content)
    return found_all


def _without_texts(content: bytes, texts: Iterable[tuple[str, str]]) -> tuple[bytes, bool]:
    """Longer ones first, so that a text inside another does not break it."""
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
    return content, found_all


def _without_secrets(
    content: bytes, hashed: Mapping[bytes, Telling], text_key: Callable[[str], bytes]
) -> tuple[bytes, set[bytes]]:
    """Strings of JSON, and what a line says after its speaker, that are a text with a secret."""
    found: set[bytes] = set()
    if not hashed:
        return content, found
    text = content.decode("utf-8", "surrogateescape")

    def in_json(match: re.Match[str]) -> str:
        try:
            clear = normal_text(json.loads(match[0], strict=False))
        except ValueError:
            return match[0]
        telling = hashed.get(text_key(clear))
        if telling is None:
            return match[0]
        found.add(telling.text_hash)
        return json.dumps(telling.without(clear), ensure_ascii=match[0].isascii())

    def in_line(match: re.Match[str]) -> str:
        whole = match[0]
        for colon in re.finditer(": ", whole):
            clear = normal_text(whole[colon.end() :].rstrip("\r"))
            telling = hashed.get(text_key(clear))
            if telling is not None:
                found.add(telling.text_hash)
                end = colon.end() + len(clear)
                return whole[: colon.end()] + telling.without(clear) + whole[end:]
        return whole

    try:
        text = _SAID.sub(in_line, _JSON_STRING.sub(in_json, text))
    except UnicodeEncodeError:
        return content, found
    return text.encode("utf-8", "surrogateescape"), found


def _without_names(content: bytes, names: Sequence[str]) -> bytes:
    text = content.decode("utf-8", "surrogateescape")
    for name in names:
        for written, instead in _forms(name, redacted(name, [(0, len(name))])):
            pattern = re.compile(rf"(?<!\w){re.escape(written.decode())}(?!\w)")
            # a function, for a backslash of JSON's escapes means itself
            new = instead.decode()
            text = pattern.sub(lambda _, new=new: new, text)  # type: ignore[misc]
    return text.encode("utf-8", "surrogateescape")


def _put(path: Path, content: bytes) -> None:
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
