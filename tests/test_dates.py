"""Dates: what the resolver makes of each kind of expression, in both languages, and how often.

The tables hold sentences of our own. The measurements run over the shared data where it lies
beside the checkout; a third of its rows, chosen by a hash of the row, was kept unseen while the
grammar was written, and has to hold the same targets within a margin.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_pipeline.contracts.vocabulary import Precision
from memory_pipeline.understand.dates.calendar import easter, nth_weekday, orthodox_easter
from memory_pipeline.understand.dates.firsts import first_chars
from memory_pipeline.understand.dates.resolve import DateMention, resolve

SHARED = Path(
    os.environ.get("MEMORY_PIPELINE_SHARED_DATA")
    or Path(__file__).resolve().parents[1].parent / "shared" / "data"
)
needs_shared_data = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the shared test data is not beside the checkout"
)
MOSCOW = ZoneInfo("Europe/Moscow")
BERLIN = ZoneInfo("Europe/Berlin")
Record = Callable[[str, object], None]
FRIDAY = datetime(2025, 10, 10, 12, 0, tzinfo=MOSCOW)


def shown(mention: DateMention) -> str:
    def bound(moment: datetime | None) -> str:
        if moment is None:
            return "-"
        return moment.strftime("%Y-%m-%d" if moment.hour + moment.minute == 0 else "%Y-%m-%dT%H:%M")

    return f"{bound(mention.valid_from)}..{bound(mention.valid_to)} {mention.direction}"


def read(text: str, lang: str, reference: datetime = FRIDAY) -> list[str]:
    return [shown(m) for m in resolve(text, reference, lang)]


RUSSIAN = {
    "завтра вечером идём в кино": ["2025-10-11T18:00..2025-10-12 point"],
    "во вторник созвон в 11": ["2025-10-14T11:00..- point"],
    "забрал посылку в среду": ["2025-10-08..2025-10-09 point"],
    "в прошлую пятницу сдал отчёт": ["2025-10-03..2025-10-04 point"],
    "двадцать пятого числа зарплата": ["2025-10-25..2025-10-26 point"],
    "третьего ноября лечу в Ереван": ["2025-11-03..2025-11-04 point"],
    "с 19-го живу в Казани": ["2025-09-19..- from"],
    "переезжаю в Казань с 19-го": ["2025-10-19..- from"],
    "с пятницы не пью": ["2025-10-03..- from"],
    "с 1 ноября работаю в другой компании": ["2025-11-01..- from"],
    "с 1 марта работаю в другой компании": ["2025-03-01..- from"],
    "с понедельника начинаю бегать": ["2025-10-13..- from"],
    "не раньше 5 ноября": ["2025-11-05..- from"],
    "после 20-го буду свободен": ["2025-10-21..- from"],
    "до понедельника не беспокоить": ["2025-10-10..2025-10-13 until"],
    "принимаем до 18 октября включительно": ["2025-10-10..2025-10-19 until"],
    "не позднее 20 октября": ["2025-10-10..2025-10-21 until"],
    "к концу года закроем ипотеку": ["2025-10-10..2026-01-01 until"],
    "к лету похудею": ["2025-10-10..2026-06-01 until"],
    "до 2021 года жил в Омске": ["-..2021-01-01 until"],
    "сегодня до 18:00": ["2025-10-10T12:00..2025-10-10T18:00 until"],
    "1–15 июня был в Сочи": ["2025-06-01..2025-06-16 range"],
    "с 28 декабря по 8 января каникулы": ["2025-12-28..2026-01-09 range"],
    "31 декабря работаем с 9 до 14": ["2025-12-31T09:00..2025-12-31T14:00 range"],
    "в прошлом году переехал": ["2024-01-01..2025-01-01 point"],
    "в ноябре прошлого года мерил давление": ["2024-11-01..2024-12-01 point"],
    "в начале марта уволился": ["2025-03-01..2025-03-11 point"],
    "в конце ноября релиз": ["2025-11-30..2025-12-01 point"],
    "прошлой зимой сломал ногу": ["2024-12-01..2025-03-01 point"],
    "во втором полугодии 2025": ["2025-07-01..2026-01-01 point"],
    "в четвёртом квартале 2024 упали продажи": ["2024-10-01..2025-01-01 point"],
    "в девяностых торговал": ["1990-01-01..2000-01-01 point"],
    "на майских были на даче": ["2025-05-01..2025-05-10 point"],
    "на Пасху испечём куличи": ["2026-04-12..2026-04-13 point"],
    "последняя пятница ноября": ["2025-11-28..2025-11-29 point"],
    "через две недели обещал": ["2025-10-24..2025-10-25 point"],
    "через полчаса выхожу": ["2025-10-10T12:30..- point"],
    "года три назад": ["2022-10-10..2022-10-11 point"],
    "последние две недели плохо сплю": ["2025-09-26..2025-10-10 duration"],
    "не курю 40 дней": ["2025-08-31..- duration"],
    "без двадцати семь вечера": ["2025-10-10T18:40..- point"],
    "созвон перенесли на четверг": ["2025-10-16..2025-10-17 point"],
    "12.11.2025 в 14:00 приём": ["2025-11-12T14:00..- point"],
}
ENGLISH = {
    "movie tomorrow night": ["2025-10-11T18:00..2025-10-12 point"],
    "call on Tuesday at 11": ["2025-10-14T11:00..- point"],
    "last Friday I turned in the report": ["2025-10-03..2025-10-04 point"],
    "this Thursday or next Monday": [
        "2025-10-16..2025-10-17 point",
        "2025-10-13..2025-10-14 point",
    ],
    "I get paid on the 25th": ["2025-10-25..2025-10-26 point"],
    "in January I started": ["2025-01-01..2025-02-01 point"],
    "in January I'm starting": ["2026-01-01..2026-02-01 point"],
    "two Fridays ago we ran out": ["2025-09-26..2025-09-27 point"],
    "I've lived here since 2018": ["2018-01-01..- from"],
    "as of January 1 rent goes up": ["2026-01-01..- from"],
    "I've accepted a job, starting November 3": ["2025-11-03..- from"],
    "I accepted a job, starting March 3": ["2025-03-03..- from"],
    "the shop won't reopen until October 20": ["2025-10-20..- from"],
    "out until Monday": ["2025-10-10..2025-10-13 until"],
    "have it over by Friday": ["2025-10-10..2025-10-18 until"],
    "the lease runs through March 31, 2026": ["2025-10-10..2026-04-01 until"],
    "good until the 20th inclusive": ["2025-10-10..2025-10-21 until"],
    "until 2021 I lived in Ohio": ["-..2021-01-01 until"],
    "from June 1 to 15 I was in Greece": ["2025-06-01..2025-06-16 range"],
    "Thursday 2 to 4pm works": ["2025-10-16T14:00..2025-10-16T16:00 range"],
    "cover me from noon till three on Sunday": ["2025-10-12T12:00..2025-10-12T15:00 range"],
    "between 2015 and 2018": ["2015-01-01..2019-01-01 range"],
    "rent goes up at the end of next month": ["2025-11-30..2025-12-01 point"],
    "June of last year": ["2024-06-01..2024-07-01 point"],
    "early March I quit": ["2025-03-01..2025-03-11 point"],
    "we hired her in fall 2023": ["2023-09-01..2023-12-01 point"],
    "we ship in Q3": ["2025-07-01..2025-10-01 point"],
    "the second week of November": ["2025-11-10..2025-11-17 point"],
    "the day after Christmas": ["2025-12-26..2025-12-27 point"],
    "on Thanksgiving": ["2025-11-27..2025-11-28 point"],
    "the past ten days": ["2025-09-30..2025-10-10 duration"],
    "haven't smoked for 40 days": ["2025-08-31..- duration"],
    "in half an hour": ["2025-10-10T12:30..- point"],
    "flight's at 6:50am tomorrow so the cab's coming at 4:30": [
        "2025-10-11T06:50..- point",
        "2025-10-11T04:30..- point",
    ],
    "due 11/15": ["2025-11-15..2025-11-16 point"],
}
UNDATED = {
    "ru": (
        "каждый понедельник в 10 планёрка",
        "кафе «Пятница» отличное",
        "бумаги подпишет Августа Семёновна",
        "подорожало раза в два",
        "опыт 10 лет, варить 15 минут",
        "кабинет 2024, кадр 16:9",
        "среда обитания лосей",
        "недавно переехал, скоро увольняюсь",
    ),
    "en": (
        "it may rain, march on",
        "I sat down, the sun is out",
        "room 2024, 24/7, version 2.5",
        "10 years of experience, bake for 15 minutes",
        "on Tuesdays, once a month",
        "rewatching 2001: A Space Odyssey",
        "second floor, fall down",
        "the other day, someday, recently",
    ),
}


@pytest.mark.parametrize(("text", "expected"), RUSSIAN.items())
def test_russian_expressions_resolve_against_the_telling(text: str, expected: list[str]) -> None:
    assert read(text, "ru") == expected


@pytest.mark.parametrize(("text", "expected"), ENGLISH.items())
def test_english_expressions_resolve_against_the_telling(text: str, expected: list[str]) -> None:
    assert read(text, "en") == expected


@pytest.mark.parametrize(
    ("lang", "text"), [(lang, text) for lang, texts in UNDATED.items() for text in texts]
)
def test_words_that_only_look_like_dates_resolve_to_nothing(lang: str, text: str) -> None:
    assert read(text, lang) == []


def test_the_caller_may_decide_past_or_future() -> None:
    def day(tense: Any) -> date | None:
        start = resolve("в среду", FRIDAY, "ru", tense=tense)[0].valid_from
        return start and start.date()

    assert day("past") == date(2025, 10, 8)
    assert day("future") == date(2025, 10, 15)


def test_a_mention_says_where_it_stands_and_how_precise_it_is() -> None:
    text = "ну, в прошлом году 😀 переехал, а с 1 по 15 июня был в Сочи"
    first, second = resolve(text, FRIDAY, "ru")
    assert text[first.start : first.end] == "в прошлом году"
    assert text[second.start : second.end] == "с 1 по 15 июня"
    assert (first.precision, second.precision) == (Precision.year, Precision.day)
    quarter, clock = resolve("in Q3, then tomorrow at 5pm", FRIDAY, "en")
    assert (quarter.precision, clock.precision) == (Precision.quarter, Precision.instant)
    assert (quarter.kind, clock.kind) == ("span", "instant")


def test_days_are_local_midnights_across_a_change_of_the_clocks() -> None:
    before = datetime(2025, 10, 25, 12, 0, tzinfo=BERLIN)
    sunday = resolve("tomorrow", before, "en")[0]
    assert sunday.valid_from is not None
    assert sunday.valid_to is not None
    assert sunday.valid_to.astimezone(UTC) - sunday.valid_from.astimezone(UTC) == timedelta(
        hours=25
    )
    later = resolve("in 24 hours", before, "en")[0].valid_from
    assert later == datetime(2025, 10, 26, 11, 0, tzinfo=BERLIN)


def test_a_wall_time_that_the_clocks_skip_moves_on() -> None:
    eve = datetime(2025, 3, 29, 12, 0, tzinfo=BERLIN)
    found = resolve("завтра в 02:30", eve, "ru")[0].valid_from
    assert found == datetime(2025, 3, 30, 3, 30, tzinfo=BERLIN)


def test_months_end_where_the_calendar_says() -> None:
    leap = datetime(2024, 1, 31, 9, 0, tzinfo=MOSCOW)
    assert read("через месяц сдавать", "ru", leap) == ["2024-02-29..2024-03-01 point"]
    assert read("31 февраля", "ru", leap) == []
    assert read("29 февраля", "ru", FRIDAY) == ["2028-02-29..2028-03-01 point"]


def test_feasts_fall_where_the_computus_puts_them() -> None:
    assert [easter(y) for y in (2013, 2024, 2025)] == [
        date(2013, 3, 31),
        date(2024, 3, 31),
        date(2025, 4, 20),
    ]
    assert [orthodox_easter(y) for y in (2013, 2024, 2026)] == [
        date(2013, 5, 5),
        date(2024, 5, 5),
        date(2026, 4, 12),
    ]
    assert nth_weekday(2025, 11, 3, 4) == date(2025, 11, 27)
    assert nth_weekday(2025, 2, 0, 5) is None


def test_a_naive_reference_and_an_unknown_language_are_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        resolve("завтра", datetime(2025, 1, 1), "ru")  # noqa: DTZ001 - the point of the test
    with pytest.raises(ValueError, match="lang"):
        resolve("morgen", FRIDAY, "de")


def test_first_characters_of_a_pattern_are_those_it_can_begin_with() -> None:
    assert first_chars(r"(?:the )?(?:end|start) of") == frozenset("tes")
    assert first_chars(r"(\d{1,2})-?го") == frozenset("0123456789")
    assert first_chars(r"[а-в]?x") == frozenset("абвx")
    assert first_chars(r"\w+") is None
    assert first_chars(r"(?:a)?") is None


_PIECES = st.sampled_from(
    [
        "завтра",
        "вчера",
        "в",
        "с",
        "по",
        "до",
        "на",
        "5",
        "15-го",
        "2024",
        "года",
        "июня",
        "март",
        "понедельник",
        "через",
        "две",
        "недели",
        "назад",
        "10:30",
        "утра",
        "—",
        ",",
        ".",
        "tomorrow",
        "last",
        "next",
        "on",
        "from",
        "to",
        "until",
        "by",
        "May",
        "3rd",
        "at",
        "5pm",
        "in",
        "2019",
        "weeks",
        "ago",
        "Friday",
        "the",
        "end",
        "of",
        "month",
        "для",
        "you",
    ]
)


@given(
    st.lists(_PIECES, max_size=14).map(" ".join),
    st.sampled_from(["ru", "en"]),
    st.datetimes(datetime(1990, 1, 1), datetime(2060, 1, 1)),  # noqa: DTZ001 - made aware below
)
def test_mentions_are_ordered_and_their_periods_run_forward(
    text: str, lang: str, moment: datetime
) -> None:
    found = resolve(text, moment.replace(tzinfo=BERLIN), lang)
    end = 0
    for mention in found:
        assert end <= mention.start < mention.end <= len(text)
        end = mention.end
        if mention.valid_from is not None and mention.valid_to is not None:
            assert mention.valid_from < mention.valid_to
        assert mention.kind != "instant" or mention.valid_to is None


# --- measurements over the shared data -----------------------------------------------------------


def is_unseen(key: str) -> bool:
    """A third of the rows by a hash of their key: not looked at while the grammar was written."""
    return int(hashlib.sha256(key.encode()).hexdigest(), 16) % 3 == 0


def rows(name: str) -> Iterator[dict[str, Any]]:
    with (SHARED / name).open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def plain(moment: str | datetime | None) -> str | None:
    if isinstance(moment, datetime):
        moment = moment.isoformat()
    if moment is None or "T" not in moment:
        return moment
    return moment[:10] if moment[11:19] == "00:00:00" else moment[:19]


def share(right: list[bool]) -> float:
    return sum(right) / len(right)


@needs_shared_data
def test_labelled_dates_resolve_exactly(record_property: Record) -> None:
    dated: dict[bool, list[bool]] = {True: [], False: []}
    undated: list[bool] = []
    for row in rows("labelled/dates.jsonl"):
        found = resolve(row["text"], datetime.fromisoformat(row["reference"]), row["lang"])
        got = sorted((str(plain(m.valid_from)), str(plain(m.valid_to))) for m in found)
        expected = sorted((str(plain(e["from"])), str(plain(e["to"]))) for e in row["expect"])
        if expected:
            dated[is_unseen(row["id"])].append(got == expected)
        else:
            undated.append(got == expected)
    figures = (share(dated[False]), share(dated[True]), share(undated))
    record_property("seen, unseen, undated", figures)
    assert share(dated[True] + dated[False]) >= 0.88
    assert share(dated[True]) >= 0.88
    assert share(undated) >= 0.95


# Rows of Duckling whose convention is another than ours: pattern of the text, and why.
OTHER_CONVENTIONS = {
    r"season|summer|winter|spring|autumn|\bfall\b": "theirs are astronomical, ours whole months",
    r"week-? ?end|wkend|выходн": "theirs begins on Friday at 18:00, ours on Saturday",
    r"(?:last|past|next|previous|upcoming|following|следующ\w+|последн\w+) "
    r"(?:\d|one|two|three|два|две|три)|(?:two|2|three) upcoming": "theirs are whole calendar "
    "units, ours run from or to the reference",
    r"^(?:in |через |a )?\d* ?(?:days?|дней|fortnight)(?: ago| hence| from now)?$": "theirs keep "
    "the hour, ours are days",
    r"\b(?:eom|eoy|end of (?:the )?(?:month|year|april|\d{4}))": "theirs is a stretch of the "
    "period, ours its last day or month",
    r"^(?:all|rest of the) week$": "their week ends a day earlier",
    r"^(?:at the moment|atm|asap|now|right now|just now)$": "now is no date in a dialog",
    r"^in \d years? at": "theirs falls on the month's first day",
    r"^since \d+ ?pm": "ours is always past",
    r"следующ\w+ сред": "ours is the Wednesday of next week",
    r"^к \w+ \w+ \d{4}$": "ours is a deadline",
    r"^(?:in|for) \d+$": "a bare number is no time in a dialog",
    r"for \d+ (?:days|')": "theirs counts one more",
    r"a\.?d\.?$": "years before 1900 are not read",
}
_OTHER = re.compile("|".join(f"(?:{p})" for p in OTHER_CONVENTIONS), re.IGNORECASE)
# feasts of lunar and other moving calendars are not computed; these of theirs are ours too
OUR_FEASTS = frozenset(
    (
        "Black Friday",
        "Christmas",
        "Clean Monday",
        "Easter Monday",
        "Easter Sunday",
        "Halloween",
        "Lazarus Saturday",
        "Martin Luther King's Day",
        "Maundy Thursday",
        "New Year's Day",
        "New Year's Eve",
        "Orthodox Easter Sunday",
        "Orthodox Good Friday",
        "Palm Sunday",
        "Pentecost",
        "Shrove Tuesday",
        "St Patrick's Day",
        "Trinity Sunday",
        "Valentine's Day",
        "Whit Monday",
        "World Vegan Day",
        "Новый год",
        "Рождество Христово",
    )
)
_UNITS = {"second": 1, "minute": 60, "hour": 3600}


def duckling_period(row: dict[str, Any]) -> tuple[datetime | None, datetime | None]:
    """Their answer as a half-open period; a clock time is an instant."""
    if "from" in row:
        return datetime.fromisoformat(row["from"]), datetime.fromisoformat(row["to_exclusive"])
    start = datetime.fromisoformat(row["value"])
    if row["kind"] == "open_after":
        return start, None
    if row["kind"] == "open_before":
        return None, start
    months = {"month": 1, "quarter": 3, "year": 12}.get(row["grain"])
    if months:
        year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
        return start, start.replace(year=year, month=month + 1)
    if row["grain"] in _UNITS:
        return start, None
    return start, start + timedelta(days=7 if row["grain"] == "week" else 1)


def agrees(found: list[DateMention], row: dict[str, Any]) -> bool:
    """Equal bounds. Theirs count the last unit of a range of clock times into it, and a deadline
    begins for them at the reference's second, for us at its day."""
    if len(found) != 1:
        return False
    start, end = (m and m.replace(tzinfo=None) for m in (found[0].valid_from, found[0].valid_to))
    want_start, want_end = duckling_period(row)
    reference = datetime.fromisoformat(row["ref"]).replace(tzinfo=None)
    starts = start == want_start or want_start in (None, reference)
    if want_end is None or end is None:
        return starts and end == want_end
    slack = timedelta(seconds=_UNITS.get(row["grain"], 0)) if "from" in row else timedelta()
    return starts and end in (want_end, want_end - slack)


@needs_shared_data
@pytest.mark.parametrize("lang", ["ru", "en"])
def test_duckling_rows_agree_where_the_convention_is_ours(
    lang: str, record_property: Record
) -> None:
    right: dict[bool, list[bool]] = {True: [], False: []}
    for row in rows("dates/duckling_time_ru_en.jsonl"):
        if row["lang"] != lang or _OTHER.search(row["text"]):
            continue
        if "name" in row and row["name"] not in OUR_FEASTS:
            continue
        found = resolve(row["text"], datetime.fromisoformat(row["ref"]), lang)
        right[is_unseen(lang + row["text"])].append(agrees(found, row))
    record_property("seen, unseen", (share(right[False]), share(right[True])))
    assert share(right[True] + right[False]) >= 0.80
    assert share(right[True]) >= 0.80


@needs_shared_data
def test_duckling_texts_that_are_no_times_resolve_to_nothing() -> None:
    assert not [
        row["text"]
        for row in rows("dates/duckling_time_negative.jsonl")
        if resolve(row["text"], FRIDAY, row["lang"])
    ]
