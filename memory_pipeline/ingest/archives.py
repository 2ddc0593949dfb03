"""Archives of logs: zip files, and folders that are one log, read without unpacking to disk.

A Slack export inside is one log; every other member is read by the reader that knows it. Media and
the files that exports are known to carry beside their dialogs are passed over, an unknown member is
refused by its number in the archive; its name may say who talked to whom.

An archive is data of a stranger: a member is read in pieces, and never under its own name. Bounded
are the directory of the archive, the number of members, the size of each and of all by what the
archive states (no more than that is read), and how far one was compressed. Refused are encrypted
members, archives in archives, links, names that would leave a folder, and names that come twice.
"""

import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from typing import BinaryIO, cast

from memory_pipeline.contracts.message import BadRecord, RawMessage
from memory_pipeline.ingest import folder_log
from memory_pipeline.ingest.readers import slack, strict_json
from memory_pipeline.ingest.readers.base import (
    HEAD_BYTES,
    ReadOptions,
    Reason,
    Refused,
    UnknownFormat,
    choose,
)

ZIP_MAGIC = b"PK\x03\x04"

MAX_DIRECTORY_BYTES = 8 * 1024 * 1024
MAX_MEMBERS = 50_000
MAX_MEMBER_BYTES = 4 * 1024**3
MAX_TOTAL_BYTES = 8 * 1024**3
MAX_RATIO = 200
"""Real chats shrink by 5 to 30; deflate can reach 1,000 with nothing but repetition."""

_RATIO_FROM_BYTES = 1024 * 1024
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

# what lies in exports and is no log: media, pages to look at, and lists of other things
_NO_LOGS = {
    "jpg",
    "jpeg",
    "png",
    "gif",
    "webp",
    "heic",
    "svg",
    "bmp",
    "tgs",
    "webm",
    "mp4",
    "mov",
    "3gp",
    "avi",
    "mkv",
    "mp3",
    "ogg",
    "oga",
    "opus",
    "m4a",
    "aac",
    "wav",
    "amr",
    "pdf",
    "doc",
    "docx",
    "xls",
    "xlsx",
    "ppt",
    "pptx",
    "vcf",
    "html",
    "htm",
    "css",
    "js",
    "ico",
    "ttf",
    "woff",
    "woff2",
    "ds_store",
    "db",
    "dat",
}
_COMPANIONS = {
    "user.json",
    "users.json",
    "user_settings.json",
    "message_feedback.json",
    "model_comparisons.json",
    "shared_conversations.json",
    "export_manifest.json",
    "group_chats.json",
    "shopping.json",
    "sora.json",
    "projects.json",
    "memories.json",
    "integration_logs.json",
    "canvases.json",
    "org_users.json",
    "file_conversations.json",
    "huddle_transcripts.json",
    "lists.json",
}

_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)

_END = b"PK\x05\x06"
_END_64 = b"PK\x06\x06"
_MAX_COMMENT = 65_535


class ArchiveReader:
    """Reads a zip file's logs, or a folder that is one."""

    name = "archive"
    version = 1
    has_edits = True

    def recognises(self, head: bytes, file_name: str) -> bool:  # noqa: ARG002 - content decides
        """Look for a zip file's first member, or a folder's stream."""
        return head.startswith((ZIP_MAGIC, folder_log.MAGIC))

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawMessage | BadRecord]:
        """Yield the records of every log inside; `position` counts over the whole archive."""
        head = stream.read(HEAD_BYTES)
        stream.seek(0)
        if head.startswith(folder_log.MAGIC):
            yield from _folder(stream, options)
            return
        if not head.startswith(ZIP_MAGIC):
            yield from _again(stream, head, options)
            return
        try:
            directory = _directory(stream)
        except Refused as refused:
            yield refused.as_record(1, b"", options.max_record_bytes)
            return
        with directory:
            yield from _zip(directory, options)


def _again(stream: BinaryIO, head: bytes, options: ReadOptions) -> Iterator[RawMessage | BadRecord]:
    """Read a record of a member that comes back from quarantine."""
    try:
        reader = choose(head, "")
    except UnknownFormat as error:
        refused = Refused(Reason.unknown_format, str(error))
        yield refused.as_record(1, head, options.max_record_bytes)
        return
    yield from reader.read(stream, options)


def _folder(stream: BinaryIO, options: ReadOptions) -> Iterator[RawMessage | BadRecord]:
    # the lists must be known before the days, and the stream can only be read forward
    def lists_first() -> Iterator[tuple[str, BinaryIO]]:
        for name, member in folder_log.members(stream):
            if name in slack.LISTS:
                yield name, member
        stream.seek(0)
        for name, member in folder_log.members(stream):
            if slack.DAY_FILE.fullmatch(name):
                yield name, member

    try:
        yield from slack.read_export(lists_first(), options)
    except ValueError:
        yield _broken()


def _directory(stream: BinaryIO) -> zipfile.ZipFile:
    """Open the archive if its directory is of a size that may be held in memory."""
    size = stream.seek(0, 2)
    n_tail = min(size, _MAX_COMMENT + 22 + 20)
    stream.seek(size - n_tail)
    tail = stream.read(n_tail)
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + 22:
        raise Refused(Reason.bad_archive, "the zip file is cut short; copy it again")
    n_directory = struct.unpack_from("<I", tail, at + 12)[0]
    if n_directory == 0xFFFFFFFF and at >= 20:
        stream.seek(min(struct.unpack_from("<Q", tail, at - 12)[0], size))
        end = stream.read(56)
        if not end.startswith(_END_64) or len(end) < 56:
            raise Refused(Reason.bad_archive, "the zip file's directory is broken; copy it again")
        n_directory = struct.unpack_from("<Q", end, 40)[0]
    if n_directory > MAX_DIRECTORY_BYTES:
        raise Refused(
            Reason.too_large, "too many files in the zip file; ingest the logs in it alone"
        )
    stream.seek(0)
    try:
        return zipfile.ZipFile(stream)
    except _BROKEN:
        raise Refused(
            Reason.bad_archive, "the zip file's directory is broken; copy it again"
        ) from None


def _zip(archive: zipfile.ZipFile, options: ReadOptions) -> Iterator[RawMessage | BadRecord]:
    infos = archive.infolist()
    try:
        logs = _logs(infos)
    except Refused as refused:
        yield refused.as_record(1, b"", options.max_record_bytes)
        return
    n_equal = Counter(info.filename for _, info in logs)
    sound: dict[str, tuple[int, zipfile.ZipInfo]] = {}
    position = 1
    for number, info in logs:
        try:
            if n_equal[info.filename] > 1:
                raise Refused(Reason.bad_archive, "two members have one name; keep the right one")
            _check(info)
        except Refused as refused:
            yield _of_member(refused.as_record(position, b"", 1), number, 0)
            position += 1
        else:
            sound[info.filename] = (number, info)
    days = {name: found for name in sound if (found := slack.DAY_FILE.fullmatch(name))}
    roots = {found["root"] or "" for found in days.values()}
    roots = {root for root in roots if any(_below(root, name) in sound for name in slack.LISTS)}
    for root in sorted(roots):
        inside = [_below(root, name) for name in slack.LISTS if _below(root, name) in sound]
        inside += sorted(name for name, found in days.items() if (found["root"] or "") == root)
        for record in _slack(archive, inside, sound, options, position):
            yield record
            position = max(position, record.position + 1)
        for name in inside:
            del sound[name]
    account = _account(archive, sound, options)
    for number, info in sorted(sound.values(), key=lambda item: item[1].filename):
        if PurePosixPath(info.filename).name.lower() in _COMPANIONS:
            continue
        before = position - 1
        for record in _member(archive, info, replace(options, account=account)):
            placed = _of_member(record, number, before)
            position = max(position, placed.position + 1)
            yield placed


def _below(root: str, name: str) -> str:
    return f"{root}/{name}" if root else name


def _logs(infos: list[zipfile.ZipInfo]) -> list[tuple[int, zipfile.ZipInfo]]:
    """Return the members that may be logs, with their numbers from 1. Raises `Refused`."""
    if len(infos) > MAX_MEMBERS:
        raise Refused(
            Reason.too_large, f"over {MAX_MEMBERS} files in the zip file; ingest its logs alone"
        )
    logs = [
        (number, info)
        for number, info in enumerate(infos, start=1)
        if not info.is_dir() and not _is_no_log(PurePosixPath(info.filename))
    ]
    if sum(info.file_size for _, info in logs) > MAX_TOTAL_BYTES:
        raise Refused(
            Reason.too_large, f"over {MAX_TOTAL_BYTES} bytes when unpacked; ingest its logs alone"
        )
    return logs


def _is_no_log(path: PurePosixPath) -> bool:
    if path.name.startswith(".") or path.parts[:1] == ("__MACOSX",):
        return True
    return path.suffix.lower().removeprefix(".") in _NO_LOGS


def _check(info: zipfile.ZipInfo) -> None:
    """Raise `Refused` for a member that is not to be opened."""
    path = PurePosixPath(info.filename)
    if path.is_absolute() or ".." in path.parts or "\\" in info.filename or ":" in path.parts[0]:
        raise Refused(Reason.bad_archive, "its name leads out of the archive; pack it again")
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise Refused(Reason.bad_archive, "a link or a device, not a file; pack the file itself")
    if info.flag_bits & 0x1:
        raise Refused(Reason.bad_archive, "encrypted; ingest it unpacked, or without a password")
    if info.compress_type not in _METHODS:
        raise Refused(Reason.bad_archive, "compressed in a way that is not read; use deflate")
    if info.file_size > MAX_MEMBER_BYTES:
        raise Refused(Reason.too_large, f"over {MAX_MEMBER_BYTES} bytes when unpacked; split it")
    is_large = info.file_size > _RATIO_FROM_BYTES
    if is_large and info.file_size > MAX_RATIO * max(info.compress_size, 1):
        raise Refused(
            Reason.bad_archive, f"compressed by more than {MAX_RATIO}; ingest it unpacked"
        )


def _slack(
    archive: zipfile.ZipFile,
    names: list[str],
    sound: dict[str, tuple[int, zipfile.ZipInfo]],
    options: ReadOptions,
    position: int,
) -> Iterator[RawMessage | BadRecord]:
    at = 0

    def opened() -> Iterator[tuple[str, BinaryIO]]:
        nonlocal at
        for name in names:
            at, info = sound[name]
            with archive.open(info) as member:
                yield name, cast(BinaryIO, member)

    try:
        for record in slack.read_export(opened(), options):
            yield _of_member(record, at, position - 1)
    except _BROKEN:
        yield _of_member(_broken(), at, position - 1)


def _account(
    archive: zipfile.ZipFile,
    sound: dict[str, tuple[int, zipfile.ZipInfo]],
    options: ReadOptions,
) -> str | None:
    """Return the account's id that ChatGPT's export states in `user.json`."""
    found = sound.get("user.json")
    if found is None or found[1].file_size > _RATIO_FROM_BYTES:
        return None
    try:
        user = strict_json.parse(archive.read(found[1]), options)
    except (Refused, *_BROKEN):
        return None
    stated = user.get("id") if isinstance(user, dict) else None
    return stated if isinstance(stated, str) and 0 < len(stated) <= 200 else None


def _member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, options: ReadOptions
) -> Iterator[RawMessage | BadRecord]:
    try:
        with archive.open(info) as opened:
            member = cast(BinaryIO, opened)
            head = member.read(HEAD_BYTES)
            if head.startswith((ZIP_MAGIC, folder_log.MAGIC)):
                raise Refused(Reason.bad_archive, "an archive in an archive; take it out")
            try:
                reader = choose(head, PurePosixPath(info.filename).name)
            except UnknownFormat as error:
                raise Refused(Reason.unknown_format, str(error)) from None
            member.seek(0)
            yield from reader.read(member, options)
    except Refused as refused:
        yield refused.as_record(1, b"", options.max_record_bytes)
    except _BROKEN:
        yield _broken()


def _broken() -> BadRecord:
    return BadRecord(
        position=1,
        reason=Reason.bad_archive.value,
        problem="broken, its check sum or its size is wrong; copy the archive again",
        raw=b"",
    )


def _of_member(
    record: RawMessage | BadRecord, number: int, n_before: int
) -> RawMessage | BadRecord:
    """Return a member's record as one of the archive; a refused one names the member's number."""
    position = record.position + n_before
    if isinstance(record, RawMessage):
        return record.model_copy(update={"position": position}) if n_before else record
    place = f"member[{number}]"
    return record.model_copy(
        update={
            "position": position,
            "field": f"{place}.{record.field}" if record.field else place,
            "problem": f"member {number} of the archive: {record.problem}",
            "raw": record.raw or place.encode(),
        }
    )
