"""WhatsApp's "export chat": text, a stamp before every message, in the phone's own date style.

Styles: with and without brackets, `.`, `/` or `-` between the numbers, two or four digits of the
year, the year first or last, with and without seconds, 12 hours (`AM`, `p. m.`, `ПП`) or 24.
**Day or month first** is decided over the whole file: the order under which every stamp is a date,
none lies in the future and the chat goes forward in time. Where both orders serve equally well, the
month comes first in files with `/` and AM/PM, else the day.

Rows that nobody speaks (joined, renamed, encrypted), deleted messages and calls are passed over, in
English and Russian. A file sent or left out is an attachment, its caption the text. The format has
no ids and no edit times: a chat is known by its beginning, a person by the label, and the mark of
an edited message is taken off. Times are on the clocks of the options' zone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import BinaryIO, Literal

from memory_pipeline.contracts.message import Attachment, BadRecord, RawMessage
from memory_pipeline.contracts.vocabulary import SentAtSource
from memory_pipeline.ingest.readers import fields
from memory_pipeline.ingest.readers.base import ReadOptions, Reason, Refused
from memory_pipeline.ingest.readers.stamped_text import (
    MARKS,
    Stamped,
    begins_with,
    name_by_beginning,
    split_speaker,
    stamped,
)

_STAMP = re.compile(
    rf"[{MARKS}]*(?P<open>\[)?"
    r"(?P<a>\d{1,4})(?P<sep>[./-])(?P<b>\d{1,2})(?P=sep)(?P<c>\d{1,4})\.?,?"
    r"[ \u00a0\u202f](?:(?:at|в) )?"
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?"
    r"(?:[ \u00a0\u202f]?(?P<half>[aApP]\.?[ \u00a0\u202f]?[mM]\.?|[дДпП]\.?[ \u00a0\u202f]?[пП]\.?))?"
    r"(?(open)\][ \u00a0\u202f]|[ \u00a0\u202f][-\u2013][ \u00a0\u202f])"
)

Order = Literal["ymd", "dmy", "mdy"]

_GROUP_EVENT = re.compile(
    r"(created (this )?group|changed (the|this) (subject|group)|changed their phone number"
    r"|создал[аи]?(\(-?а\))? группу|изменил[аи]?(\(-?а\))? (тему|название|иконку|картинку|описание))",
    re.IGNORECASE,
)
_EVENT = re.compile(
    rf"[{MARKS}\s]*("
    r"messages (and calls|to this (chat|group)) are( now)? (secured with )?end-to-end encrypt"
    r"|messages you send to this (chat|group) and calls are"
    r"|сообщения и звонки защищены сквозным шифрованием"
    r"|сообщения(, отправленные)? в (этот чат|данном чате|этом чате|эту группу).{0,60}шифрован"
    r"|(this message was deleted|you deleted this message)"
    r"|(данное|это) сообщение (было )?удалено|вы удалили (данное|это) сообщение"
    r"|(missed (voice|video|group) call|(voice|video) call)"
    r"|пропущенный (аудио|видео|групповой )звонок|(аудио|видео)звонок"
    r"|waiting for this message|ожидание сообщения"
    r")",
    re.IGNORECASE,
)
# some phones write what happened in a group as if the group had said it, behind a mark
_MARKED_EVENT = re.compile(
    r"\u200e[^\n]{0,120}?\b(added|removed|left|joined|created|changed|pinned|turned (on|off)"
    r"|добавил|удалил|вышел|вышла|покинул|присоединил|создал|изменил|закрепил|включил|отключил)",
    re.IGNORECASE,
)
_EDITED = re.compile(
    rf"[{MARKS} ]*<(this message was edited|это сообщение (было )?изменено|сообщение изменено)>"
    rf"[{MARKS} ]*$",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    rf"[{MARKS} ]*("
    r"<(media omitted|без медиафайлов|медиафайл пропущен|файл пропущен)>"
    r"|(?P<what>image|photo|video|video note|audio|sticker|gif|document|contact card|file"
    r"|изображение|картинка|фото|видео|аудио|аудиофайл|голосовое сообщение|стикер|документ|файл"
    r"|карточка контакта) (omitted|пропущен[оа]?|отсутствует|опущен[оа]?|не добавлен[оа]?)"
    rf")[{MARKS} ]*$",
    re.IGNORECASE,
)
_SENT = re.compile(
    rf"[{MARKS} ]*("
    r"(?P<android>[^\n/\\<>]{1,200}\.\w{1,5}) \((file attached|файл (добавлен|прикреплен|прикреплён))\)"
    r"|<(attached|прикреплено|вложено): (?P<ios>[^>\n]{1,200})>"
    rf")[{MARKS} ]*$",
    re.IGNORECASE,
)

# marks stand at the end of a line; a search of all of it could take long
_MAX_END = 300

_WORDS = {
    "image": ("image", "photo", "изображение", "картинка", "фото"),
    "video": ("video", "video note", "видео"),
    "audio": ("audio", "аудио", "аудиофайл", "голосовое сообщение"),
    "sticker": ("sticker", "стикер"),
    "contact": ("contact card", "карточка контакта"),
}
_SUFFIXES = {
    "image": ("jpg", "jpeg", "png", "gif", "heic"),
    "video": ("mp4", "mov", "3gp"),
    "audio": ("opus", "ogg", "m4a", "mp3", "aac", "amr"),
    "sticker": ("webp",),
    "contact": ("vcf",),
}


class WhatsAppReader:
    """Reads a WhatsApp chat, message by message, in two passes over the file."""

    name = "whatsapp"
    version = 1
    has_edits = False

    def recognises(self, head: bytes, file_name: str) -> bool:  # noqa: ARG002 - content decides
        """Look for a stamp at the beginning of a first line."""
        return begins_with(_STAMP, head)

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawMessage | BadRecord]:
        """Yield the chat's messages; `position` is the line that one begins at."""
        order = _order(stamped(stream, options, _STAMP), options)
        stream.seek(0)
        dialog = name_by_beginning(stamped(stream, options, _STAMP))
        stream.seek(0)
        for row in stamped(stream, options, _STAMP):
            try:
                message = _message(row, dialog, order, options)
            except Refused as refused:
                yield refused.as_record(row.position, row.kept(), options.max_record_bytes)
            else:
                if message is not None:
                    yield message


@dataclass
class _Trial:
    """How badly an order of day, month and year fits the file."""

    order: Order
    n_misfits: int = 0
    last: date = date.min

    def see(self, stamp: re.Match[str], latest: date) -> None:
        day = _day(stamp, self.order)
        if day is None or day > latest:
            self.n_misfits += 1
            return
        self.n_misfits += day < self.last
        self.last = day


def _order(rows: Iterator[Stamped], options: ReadOptions) -> Order:
    trials = [_Trial("dmy"), _Trial("mdy"), _Trial("ymd")]
    month_first = False
    for row in rows:
        if row.stamp is None:
            continue
        for trial in trials:
            trial.see(row.stamp, options.latest.date())
        half = row.stamp["half"]
        month_first = month_first or (half is not None and row.stamp["sep"] == "/")
    by_habit: list[Order] = ["mdy", "dmy"] if month_first else ["dmy", "mdy"]
    return min(trials, key=lambda t: (t.n_misfits, [*by_habit, "ymd"].index(t.order))).order


def _day(stamp: re.Match[str], order: Order) -> date | None:
    a, b, c = stamp["a"], stamp["b"], stamp["c"]
    if order == "ymd":
        year, month, day = a, b, c
        if len(year) != 4:
            return None
    else:
        year = c
        day, month = (a, b) if order == "dmy" else (b, a)
    if len(year) not in (2, 4):
        return None
    try:
        return date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None


def _moment(stamp: re.Match[str], order: Order, options: ReadOptions) -> datetime | None:
    day = _day(stamp, order)
    if day is None:
        raise Refused(
            Reason.bad_field,
            "is no date in the order of day and month that the rest of the file has; correct it",
            "sent_at",
        )
    hour = int(stamp["hour"])
    if half := stamp["half"]:
        # phones also write 00:08 a.m.
        is_late = half[0] in "pPпП"
        hour = hour % 12 + (12 if is_late else 0)
    try:
        naive = datetime(  # noqa: DTZ001 - the zone follows
            day.year, day.month, day.day, hour, int(stamp["minute"]), int(stamp["second"] or 0)
        )
    except ValueError:
        raise Refused(Reason.bad_field, "is no time of a day; correct it", "sent_at") from None
    return fields.moment({"sent_at": naive.isoformat()}, "sent_at", options.tz, options)


def _message(row: Stamped, dialog: str, order: Order, options: ReadOptions) -> RawMessage | None:
    if row.refused is not None:
        raise row.refused
    said = split_speaker(row.text)
    if said is None or row.stamp is None:
        return None
    speaker, text = said
    # a row of the phone may hold a colon too
    if _GROUP_EVENT.search(speaker) or _EVENT.match(speaker):
        return None
    if _EVENT.match(text) or _MARKED_EVENT.match(text):
        return None
    text, beside = _apart(_without_end(_EDITED, text))
    if not text.strip(MARKS + " \n") and not beside:
        return None
    return RawMessage(
        namespace=f"whatsapp:{options.namespace}",
        dialog=dialog,
        speaker=speaker,
        sent_at=_moment(row.stamp, order, options),
        sent_at_source=SentAtSource.stated,
        text=fields.text(text, "text", options),
        attachments=beside,
        position=row.position,
    )


def _apart(text: str) -> tuple[str, tuple[Attachment, ...]]:
    """Return a message's own words, and the files that its lines name."""
    kept: list[str] = []
    beside: list[Attachment] = []
    for line in text.split("\n"):
        if found := _LEFT_OUT.match(line):
            what = (found["what"] or "").lower()
            beside.append(Attachment(kind=_kind(what, _WORDS)))
        elif line.rstrip(MARKS + " ").endswith((")", ">")) and (
            found := _SENT.search(line, max(0, len(line) - _MAX_END))
        ):
            name = found["android"] or found["ios"]
            suffix = name.rsplit(".", 1)[-1].lower()
            beside.append(Attachment(kind=_kind(suffix, _SUFFIXES), name=name.strip()))
            kept += [before] if (before := line[: found.start()].strip()) else []
        else:
            kept.append(line)
    # marks of direction come from the phone, not from the person
    return "\n".join(kept).lstrip(MARKS), tuple(beside)


def _without_end(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text, max(0, len(text) - _MAX_END))
    return text[: found.start()] if found else text


def _kind(word: str, table: dict[str, tuple[str, ...]]) -> str:
    return next((kind for kind, known in table.items() if word in known), "file")
