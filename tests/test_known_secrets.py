"""A secret is one wherever it is said: without its word, before it, over two messages, in a name."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.understand.sensitive.asked import find_answer
from memory_pipeline.understand.sensitive.repeated import forms
from tests.scenario import Scenario, message, objects, write

VALUE, WORD, PIN, KEY = "Qrs88tuvwx", "щеколдочка", "4821", "Zk4-Tm9_Rw2.Hq7"
SIGNS = st.sampled_from(
    ["", "(", "«", '"', "login:", "https://x.example/", "-> ", "pass=", "root:"]
)
ENDS = st.sampled_from(
    ["", ".", ",", "!", "?!", ")", "»", '"', "@10.0.0.5", "-то", "'ом", "…", ";"]
)


@given(
    value=st.from_regex(r"[A-Za-z][A-Za-z0-9!#$%_.\-]{3,18}[0-9][A-Za-z0-9]", fullmatch=True),
    before=SIGNS,
    after=ENDS,
    words=st.sampled_from(["поставь ", "\n", "", "use "]),
)
def test_every_value_is_looked_for_however_the_sentence_wraps_it(
    value: str, before: str, after: str, words: str
) -> None:
    text = f"{words}{before}{value}{after} ещё и туда"
    start = text.index(value, len(words) + len(before))
    wanted = (start, start + len(value), ("password", value))
    assert wanted in {(f.start, f.end, kind) for f in forms(text) for kind in f.kinds}


def test_masks_redactions_and_years_are_not_looked_for() -> None:
    assert not list(forms("[PASSWORD_1] ██████ в 1984 году, да и нет"))


@pytest.mark.parametrize(
    ("asked", "answer", "value"),
    [
        ("Какой пароль?", "MmOne!99qwe", "MmOne!99qwe"),
        ("what's the wifi password?", "it's sunny-Day-42", "sunny-Day-42"),
        ("скинь пароль от вайфая плз", "kotik2015", "kotik2015"),
        ("Какое кодовое слово?", "Ландыш", "Ландыш"),
        ("напомни пин от карты", "4471", "4471"),
        ("пароль от стима:", "Pebble42x", "Pebble42x"),
        ("What's the password? thanks", "Tulip44zz", "Tulip44zz"),
        ("Какой пароль?", "Не помню, посмотри в почте", None),
        ("what's the password?", "ask bob2 in IT", None),
        ("what's the gate code?", "it's broken since 2023", None),
        ("а код какой?", "Python3", None),
        ("what code did you write?", "Python3", None),
        ("Какой менеджер паролей лучше?", "1Password", None),
        ("Во сколько встреча?", "v15-00", None),
    ],
)
def test_an_answer_tells_what_was_asked_for(asked: str, answer: str, value: str | None) -> None:
    found = [answer[start:end] for start, end in find_answer(asked, answer)]
    assert found == ([] if value is None else [value])


CUES = (
    message("Лев", "2025-03-03T10:00+03:00", f"мой пароль: {VALUE}, пин: {PIN}"),
    message("Лев", "2025-03-03T10:01+03:00", f"пароль от вайфая: {WORD}"),
    message("Лев", "2025-03-03T10:02+03:00", "Какой пароль у архива?"),
    message("Анна", "2025-03-03T10:03+03:00", KEY),
)
BARE = (
    message("Лев", "2025-03-03T09:00+03:00", f"поставь {VALUE} ещё и туда, я живу в Твери"),
    message("Лев", "2025-03-03T11:00+03:00", f"набери {PIN}, потом {WORD}"),
    message("Анна", "2025-03-04T11:00+03:00", f"Купила {WORD}, номер {PIN}, живу в Туле. {KEY}!",
            dialog_id="home", dialog_title=f"про {VALUE}"),
)  # fmt: skip


def texts(scenario: Scenario) -> str:
    rows = scenario.rows(
        "select c.text from memory.message as m join memory.message_content as c"
        " using (message_id, dialog_id) where m.tenant_id = %(tenant)s union all"
        " select concat(c.title, c.native_id) from memory.dialog as d"
        " join memory.dialog_content as c using (dialog_id) where d.tenant_id = %(tenant)s"
    )
    return "\n".join(text for (text,) in rows)


@pytest.mark.parametrize("order", ["cue first", "cue last", "one file"])
def test_no_text_keeps_a_told_secret_whatever_was_read_first(
    services: Services, tmp_path: Path, order: str
) -> None:
    scenario = Scenario(ready(services.home.path), tmp_path)
    for lines in {
        "cue first": (CUES, BARE),
        "cue last": (BARE, CUES),
        "one file": (BARE[:1] + CUES + BARE[1:],),
    }[order]:
        scenario.tell(*lines)

    stored = texts(scenario)
    assert VALUE not in stored
    assert KEY not in stored
    assert f"набери {PIN}" not in stored
    assert f"потом {WORD}" not in stored
    # in another dialog a word and a short number are what they are
    assert f"Купила {WORD}, номер {PIN}" in stored
    assert scenario.rows(
        "select count(*), count(distinct s.value_key) from memory.secret_use as u"
        " join memory.secret as s using (secret_id) where s.tenant_id = %(tenant)s"
    ) == [(8, 4)]
    with scenario.memory() as memory:
        assert objects(memory, "Лев", "location") == ["Тверь"]
        assert objects(memory, "Анна", "location") == ["Тула"]

        # nor does what is asked of the memory
        snapshot = memory.context("chat", f"мой пароль {VALUE}, а ещё {KEY}", 500)
        ((query,),) = scenario.rows(
            "select c.query from memory.snapshot_content as c where c.snapshot_id = %(id)s",
            id=snapshot.id,
        )
        assert query == "мой пароль [PASSWORD_1], а ещё [PASSWORD_2]"


def test_names_and_ids_of_a_log_are_masked_and_still_found(
    services: Services, tmp_path: Path
) -> None:
    scenario = Scenario(ready(services.home.path), tmp_path)
    dialog = f"чат, пароль {VALUE}"
    line = message(
        f"Лев (пин: {PIN})", "2025-03-03T10:00+03:00", "Я живу в Твери",
        dialog_id=dialog, message_id=f"пароль {VALUE}",
    )  # fmt: skip
    path = write(tmp_path / f"пароль {VALUE}.jsonl", [line])
    with scenario.pipeline() as pipeline:
        pipeline.ingest([path])
        pipeline.ingest([path])
        pipeline.extract()
    names = scenario.rows(
        "select concat_ws('|', f.name, f.read_from, d.native_id, c.native_id, n.name)"
        " from memory.message as m join memory.message_content as c using (message_id, dialog_id)"
        " join memory.dialog_content as d on d.dialog_id = m.dialog_id"
        " join memory.name_content as n on n.entity_id = m.speaker_id,"
        " memory.log_file as l join memory.log_file_content as f using (file_id)"
        " where m.tenant_id = %(tenant)s and l.tenant_id = %(tenant)s"
    )
    assert names == [
        ("пароль [PASSWORD_1].jsonl|чат, пароль [PASSWORD_1]|пароль [PASSWORD_1]|Лев (пин: [PASSWORD_1])",)
    ]  # fmt: skip
    with scenario.memory() as memory:
        assert memory.dialog(dialog) == memory.dialog("чат, пароль [PASSWORD_1]")
        assert objects(memory, f"Лев (пин: {PIN})", "location") == ["Тверь"]
