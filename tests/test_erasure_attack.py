"""What a stranger tried against erasure: other exports, other labels, other people's words."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from scenario import Scenario, message, objects

from memory_pipeline.contracts.erasure import (
    ErasureState,
    Ground,
    Originals,
    RequestStatus,
    Selector,
    StoreState,
)
from memory_pipeline.contracts.statement import Extraction, SubjectRef
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.governance.erasure.mentions import MASK
from memory_pipeline.governance.subject_export import export_subject
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.understand.extraction.local import LocalExtractor

TOLD = "2025-03-01T09:00+00:00"
BEFORE = "2025-02-20T09:00+00:00"
PEOPLE = {
    "ru": (
        "Евстолия Брянцева",
        "Я Евстолия Брянцева, живу в Бугульме, у меня аллергия на шафран.",
        ("Бугульм", "шафран"),
    ),
    "en": (
        "Wilhelmina Trask",
        "I'm Wilhelmina Trask, I live in Duluth and I am allergic to saffron.",
        ("Duluth", "saffron"),
    ),
}


@pytest.fixture
def scenario(services: Services, tmp_path: Path) -> Scenario:
    return Scenario(ready(services.home.path), tmp_path)


def erase(scenario: Scenario, selector: Selector, **options: Any) -> RequestStatus:
    """File a request and run it."""
    with Eraser(scenario.services, scenario.tenant) as eraser:
        return eraser.run(eraser.request(selector, Ground.operator, **options))


def assert_certified(status: RequestStatus) -> None:
    left = [store for store in status.stores if store.state is StoreState.failed]
    assert (status.state, status.block, left) == (ErasureState.certified, None, [])


def tell_file(scenario: Scenario, name: str, content: str) -> None:
    path = scenario.folder / name
    path.write_text(content, encoding="utf-8")
    with scenario.pipeline() as pipeline:
        pipeline.ingest([path])
        pipeline.extract()


def texts(scenario: Scenario) -> list[str]:
    return [
        row[0]
        for row in scenario.rows(
            "select c.text from memory.message as m join memory.message_content as c"
            " using (message_id) join memory.batch as b using (batch_id)"
            " where m.tenant_id = %(tenant)s order by b.batch_no, m.position"
        )
    ]


def held(scenario: Scenario) -> str:
    """All that the memory has in words, of messages, atoms, names and dialogs."""
    rows = scenario.rows(
        "select c.text from memory.message as m join memory.message_content as c"
        " using (message_id) where m.tenant_id = %(tenant)s"
        " union all select concat(c.object, ' ', c.text) from memory.atom as a"
        "  join memory.atom_content as c using (atom_id) where a.tenant_id = %(tenant)s"
        " union all select n.name from memory.entity as e join memory.name_content as n"
        "  using (entity_id) where e.tenant_id = %(tenant)s"
        " union all select concat(c.title, ' ', c.native_id) from memory.dialog as d"
        "  join memory.dialog_content as c using (dialog_id) where d.tenant_id = %(tenant)s"
    )
    return "\n".join(str(row[0]) for row in rows)


def atoms(scenario: Scenario) -> list[tuple[str, Any]]:
    return scenario.rows(
        "select p.name, c.object from memory.atom as a join memory.atom_content as c"
        " using (atom_id) join memory.predicate as p using (predicate_id)"
        " where a.tenant_id = %(tenant)s order by 1, 2"
    )


@pytest.mark.parametrize("lang", PEOPLE)
def test_an_erased_persons_words_come_back_by_no_other_export(
    scenario: Scenario, lang: str
) -> None:
    name, text, values = PEOPLE[lang]
    scenario.tell(message(name, TOLD, text))
    assert atoms(scenario)
    assert_certified(erase(scenario, Selector(subject=name)))
    assert atoms(scenario) == []
    exports = {
        "a.json": json.dumps({"messages": [{"role": "user", "content": text}]}),
        "b.jsonl": json.dumps({"dialog_id": "b", "speaker": "user", "text": text}),
        "c.jsonl": json.dumps(
            {"dialog_id": "c", "speaker": "E. B.", "text": text, "sent_at": TOLD}
        ),
        "d.jsonl": json.dumps(
            {"dialog_id": "d", "speaker": "E. B.", "text": text, "sent_at": BEFORE}
        ),
        "e.jsonl": json.dumps(
            {"dialog_id": "e", "speaker": "Мария Лебедева", "text": f"> {name}: {text}\nА ты где?",
             "sent_at": BEFORE}
        ),
        "f.jsonl": json.dumps(
            {"dialog_id": "f", "speaker": "Мария Лебедева", "text": f"Вот её слова: «{text}»",
             "sent_at": BEFORE}
        ),
    }  # fmt: skip
    for file, content in exports.items():
        tell_file(scenario, file, content + "\n")
        found = held(scenario)
        assert not [word for word in (*values, *name.split()) if word in found], file
        assert atoms(scenario) == [], file
    assert any(said.endswith("А ты где?") for said in texts(scenario))
    assert any(said.startswith("Вот её слова: ") for said in texts(scenario))


@pytest.mark.parametrize(
    ("lang", "said", "left"),
    [
        ("ru", "Позвони Евстолии Брянцевой в Бугульму, у неё аллергия на шафран", "Позвони"),
        ("ru", "Видел Брянцеву Евстолию, она живёт в Бугульме", "Видел"),
        ("en", "Call Wilhelmina Trask in Duluth, she is allergic to saffron", "Call"),
        ("en", "Wilhelmina Trask's home is in Duluth", "home"),
    ],
)
def test_what_another_tells_of_an_erased_person_loses_her_name_and_values(
    scenario: Scenario, lang: str, said: str, left: str
) -> None:
    name, text, values = PEOPLE[lang]
    scenario.tell(message(name, TOLD, text))
    assert_certified(erase(scenario, Selector(subject=name)))
    scenario.tell(message("Олег", BEFORE, said, dialog_id="other"))
    (stored,) = (found for found in texts(scenario) if left in found)
    assert MASK in stored
    stems = [*values, "Брянцев", "Евстоли", "Wilhelmina", "Trask"]
    assert not [stem for stem in stems if stem in held(scenario)]
    assert not [value for _, value in atoms(scenario) if value in ("шафран", "saffron", "Duluth")]


def test_what_others_say_of_themselves_and_what_comes_later_stays(scenario: Scenario) -> None:
    name, text, _ = PEOPLE["ru"]
    scenario.tell(message(name, TOLD, text))
    assert_certified(erase(scenario, Selector(subject=name)))
    scenario.tell(
        message("Олег", BEFORE, "Я живу в Бугульме", dialog_id="o"),
        message("Олег", BEFORE, "У меня аллергия на шафран", dialog_id="o"),
    )
    assert texts(scenario)[-2:] == ["Я живу в Бугульме", "У меня аллергия на шафран"]
    assert {value for _, value in atoms(scenario)} == {"Бугульма", "шафран"}
    now = datetime.now(UTC).isoformat()
    said = "Евстолия Брянцева снова живёт в Бугульме"
    scenario.tell(message("Олег", now, said, dialog_id="o"))
    assert texts(scenario)[-1] == said, "told after the cut-off"


@pytest.mark.parametrize(
    ("name", "told", "others", "hers"),
    [
        ("Вера", "Я Вера, живу в Бугульме", "Такова моя вера, без веры никак", "Спроси Веру"),
        ("Will", "I'm Will, I live in Duluth", "I will call, will you?", "Ask Will"),
        ("user", "Я живу в Бугульме", "The user wrote to me", None),
    ],
)
def test_a_name_that_is_a_word_too_takes_only_what_is_meant_as_a_name(
    scenario: Scenario, name: str, told: str, others: str, hers: str | None
) -> None:
    scenario.tell(message(name, TOLD, told))
    assert_certified(erase(scenario, Selector(subject=name)))
    scenario.tell(message("Олег", BEFORE, others, dialog_id="o"))
    assert texts(scenario)[-1] == others
    if hers is not None:
        scenario.tell(message("Олег", BEFORE, hers, dialog_id="o"))
        assert texts(scenario)[-1] == f"{hers.split()[0]} {MASK * 4}"


def test_who_only_speaks_of_an_erased_person_keeps_her_own_words(scenario: Scenario) -> None:
    scenario.tell(message("Ефросинья Кулик", TOLD, "Я Ефросинья Кулик, живу в Бугульме"))
    assert_certified(erase(scenario, Selector(subject="Ефросинья Кулик")))
    scenario.tell(
        message("Анна", BEFORE, "Это Ефросинья Кулик сказала. А я живу в Туле", dialog_id="o"),
        message("Анна", BEFORE, "Я Ефросинье Кулик не звонила, работаю в Яндексе", dialog_id="o"),
    )
    assert texts(scenario)[-2:] == [
        f"Это {MASK * 9} {MASK * 5} сказала. А я живу в Туле",
        f"Я {MASK * 9} {MASK * 5} не звонила, работаю в Яндексе",
    ]
    assert {value for _, value in atoms(scenario)} >= {"Тула"}


def test_a_forgotten_tag_does_not_come_back_under_another_label(scenario: Scenario) -> None:
    scenario.tell(
        message("Ефросинья Кулик", TOLD, "Я Ефросинья Кулик, живу в Бугульме"),
        message("Ефросинья Кулик", TOLD, "Работаю в Яндексе аналитиком"),
    )
    assert_certified(erase(scenario, Selector(subject="Ефросинья Кулик", tags=("location",))))
    for file, speaker in (("a.jsonl", "user"), ("b.jsonl", "Е. К.")):
        tell_file(
            scenario,
            file,
            json.dumps(
                {"dialog_id": file, "speaker": speaker, "sent_at": TOLD,
                 "text": "Я Ефросинья Кулик, живу в Бугульме"}
            )
            + "\n",
        )  # fmt: skip
        assert "Бугульм" not in held(scenario), file
    assert "location" not in {name for name, _ in atoms(scenario)}


class Misreading(LocalExtractor):
    """Takes an allergy for somebody else's, as a reader may."""

    version = "misreading"

    def extract(self, windows: Any, predicates: Any) -> Any:
        return [
            result
            if not isinstance(result, Extraction)
            else result.model_copy(
                update={
                    "atoms": tuple(
                        atom
                        if atom.predicate != "allergy"
                        else atom.model_copy(
                            update={"subject": SubjectRef(name="Анна", is_speaker=False)}
                        )
                        for atom in result.atoms
                    )
                }
            )
            for result in super().extract(windows, predicates)
        ]


def test_a_person_takes_every_message_she_spoke_whatever_was_read_from_it(
    scenario: Scenario,
) -> None:
    scenario.read(
        message("Анна", "2025-03-01T08:58+00:00", "А я живу в Туле"),
        message("Ника", TOLD, "Я Ника, живу в Якутске, аллергия на пыль."),
        message("Ника", "2025-03-01T09:01+00:00", "Мой брат Олег работает в Яндексе."),
    )
    with scenario.pipeline(Misreading()) as pipeline:
        pipeline.extract()
    with scenario.memory() as memory:
        assert objects(memory, "Анна", "allergy") == ["пыль"]
    assert_certified(erase(scenario, Selector(subject="Ника")))
    assert [set(text) <= {MASK, " "} for text in texts(scenario)] == [False, True, True]
    assert atoms(scenario) == [("location", "Тула")]


def telegram(chat: int, name: str, text: str, day: str) -> str:
    return json.dumps(
        {
            "name": "Чат", "type": "personal_chat", "id": chat,
            "messages": [
                {"id": 1, "type": "message", "date": f"{day}T09:00:00",
                 "date_unixtime": "1740819600" if day == "2025-03-01" else "1743498000",
                 "from": name, "from_id": "user9", "text": text,
                 "text_entities": [{"type": "plain", "text": text}]}
            ],
        }
    )  # fmt: skip


def test_a_person_of_two_labels_in_two_chats_goes_wholly(scenario: Scenario) -> None:
    first = telegram(72, "Ника", "Я Ника, живу в Якутске, аллергия на пыль.", "2025-03-01")
    second = telegram(73, "Ника Новая", "Теперь живу в Омске.", "2025-04-01")
    tell_file(scenario, "m1.json", first)
    tell_file(scenario, "m2.json", second)
    assert_certified(erase(scenario, Selector(subject="Ника")))
    found = held(scenario)
    assert not [word for word in ("Ника", "Якутск", "Омск", "пыль") if word in found]


SAME_TOWN = {
    "ru": (
        ("Антон", "Я живу в Сызрани."),
        ("Полина", "Да, я живу в Сызрани."),
        ("Антон", "Я работаю в Яндексе."),
        ("Антон", "Живу я в Сызрани, помню."),
        "Сызран",
        "Яндекс",
    ),
    "en": (
        ("Anton", "I live in Leeds."),
        ("Polly", "I live in Leeds too."),
        ("Anton", "I work at Acme."),
        ("Anton", "Yes, I live in Leeds."),
        "Leeds",
        "Acme",
    ),
}


@pytest.mark.parametrize("lang", SAME_TOWN)
def test_a_value_is_masked_in_the_dialog_but_where_another_says_it_of_himself_and_elsewhere_waits(
    scenario: Scenario, lang: str
) -> None:
    first, hers, other, far, value, stays = SAME_TOWN[lang]
    asked_back = (first[0], {"ru": "Сызрань?", "en": "Leeds?"}[lang])
    scenario.tell(*(message(who, TOLD, text) for who, text in (first, hers, other, asked_back)))
    scenario.tell(message(far[0], TOLD, far[1], dialog_id="far"))
    assert len([object_ for name, object_ in atoms(scenario) if name == "location"]) == 3
    with Eraser(scenario.services, scenario.tenant) as eraser:
        selector = Selector(subject=hers[0], tags=("location",))
        shown = eraser.preview(selector)
        assert (shown.counts["atom erase"], shown.counts["mention"]) == (1, 1)
        asked = eraser.request(selector, Ground.operator, preview_digest=shown.digest)
        assert eraser.run(asked).n_open_mentions == 1
        eraser.waive(asked, "his own words, in another dialog")
        assert_certified(eraser.run(asked))
        counts = eraser.certificate(asked)["counts"]
    assert (counts["atom erased"], counts["message redacted"]) == (1, 2)
    # what he says of himself is his, here and elsewhere, and so is all else of the dialog
    assert len([object_ for name, object_ in atoms(scenario) if name == "location"]) == 2
    assert held(scenario).count(value) == 6, "his two texts, values and sentences"
    assert stays in held(scenario)
    answers = scenario.rows(
        "select x.message_id, c.answer::text from memory.extraction as x"
        " join memory.extraction_content as c using (extraction_id)"
        " where x.tenant_id = %(tenant)s and c.answer::text like %(said)s",
        said=f"%{value}%",
    )
    assert len(answers) == 2
    with scenario.memory() as memory:
        (answer,) = memory.as_of(hers[0], predicate="location").answers
        assert (answer.status.value, answer.object) == ("erased", None)


def test_a_sentence_of_another_that_says_two_things_stays(scenario: Scenario) -> None:
    scenario.tell(
        message("Полина", TOLD, "Я живу в Сызрани."),
        message("Антон", TOLD, "Я живу в Сызрани, работаю в Яндексе."),
    )
    assert_certified(erase(scenario, Selector(subject="Полина", tags=("location",))))
    assert texts(scenario) == ["Я ████ █ ███████.", "Я живу в Сызрани, работаю в Яндексе."]
    assert "Яндекс" in {value for _, value in atoms(scenario)}


@pytest.mark.parametrize(
    ("name", "said", "friend", "value"),
    [
        ("Jan", "I live in Leeds.", "Jan is in Leeds, right?", "Leeds"),
        ("Яна", "Я живу в Сызрани.", "Яна ведь в Сызрани?", "Сызран"),
    ],
)
def test_a_value_that_its_subject_still_says_outside_of_the_range_stays_there(
    scenario: Scenario, name: str, said: str, friend: str, value: str
) -> None:
    scenario.tell(
        message(name, "2025-01-10T09:00+00:00", said, dialog_id="k1"),
        message("Ann", "2025-01-11T09:00+00:00", friend, dialog_id="k1"),
        message(name, "2025-08-03T09:00+00:00", said, dialog_id="k1"),
        message("Bo", "2025-01-12T09:00+00:00", friend, dialog_id="k2"),
    )
    status = erase(
        scenario,
        Selector(dialog="k1", told_from="2025-08-01T00:00+00:00", told_to="2025-08-06T00:00+00:00"),  # type: ignore[arg-type]
    )
    assert_certified(status)
    assert status.n_open_mentions == 0
    assert [value in text for text in texts(scenario)] == [True, True, False, True]
    assert [predicate for predicate, _ in atoms(scenario)].count("location") >= 1
    # once nothing of its subject says it any more, it goes everywhere
    with Eraser(scenario.services, scenario.tenant) as eraser:
        asked = eraser.request(Selector(dialog="k1", predicates=("location",)), Ground.operator)
        eraser.run(asked)
        eraser.mask(asked)
        assert_certified(eraser.run(asked))
    assert value not in held(scenario)


@pytest.fixture
def eraser(scenario: Scenario) -> Iterator[Eraser]:
    scenario.tell(message("Ефросинья Кулик", TOLD, "Живу в Бугульме"))
    with Eraser(scenario.services, scenario.tenant) as found:
        yield found


def test_a_request_that_was_taken_back_keeps_no_words(scenario: Scenario, eraser: Eraser) -> None:
    def words() -> int:
        return int(
            scenario.rows(
                "select count(*) from memory.erasure_request_content as c"
                " join memory.erasure_request as r using (request_id)"
                " where r.tenant_id = %(tenant)s"
            )[0][0]
        )

    asked = eraser.request(Selector(subject="Ефросинья Кулик"), Ground.operator)
    assert words() == 1
    eraser.cancel(asked)
    assert words() == 0
    assert_certified(
        eraser.run(eraser.request(Selector(subject="Ефросинья Кулик"), Ground.operator))
    )


def test_words_that_an_older_cancellation_left_go_with_the_next_erasure(
    scenario: Scenario, eraser: Eraser
) -> None:
    left = eraser.request(Selector(subject="Ефросинья Кулик"), Ground.operator)
    with psycopg.connect(scenario.services.pg_dsn("mem_eraser"), autocommit=True) as connection:
        connection.execute(
            "update memory.erasure_request set state = 'cancelled' where request_id = %s", (left,)
        )
    assert_certified(
        eraser.run(eraser.request(Selector(subject="Ефросинья Кулик"), Ground.operator))
    )
    assert scenario.rows(
        "select count(*) from memory.erasure_request_content where request_id = %(left)s", left=left
    ) == [(0,)]


def quarantined(scenario: Scenario) -> list[str]:
    """Refused records as they are opened."""
    rows = scenario.rows(
        "select q.quarantine_id, c.raw from memory.quarantine as q"
        " join memory.quarantine_content as c using (quarantine_id)"
        " where q.tenant_id = %(tenant)s and c.raw is not null"
    )
    with scenario.pipeline() as pipeline:
        sealer = pipeline.sealer("quarantine")
    return sorted(sealer.open(bytes(raw), found.bytes).decode() for found, raw in rows)


def test_refused_records_of_others_in_the_same_file_stay(scenario: Scenario) -> None:
    def torn(speaker: str, text: str) -> str:
        return json.dumps({"speaker": speaker, "text": text, "sent_at": "when"}, ensure_ascii=False)

    good = message("Ефросинья Кулик", TOLD, "Я живу в Бугульме")
    others = [torn("Анна", "Ключи у вахтёра"), torn("Олег", "Отчёт готов")]
    hers = [
        torn("Ефросинья Кулик", "Всё равно"),
        torn("Анна", "Спроси Ефросинью Кулик"),
        torn("Олег", "Она в Бугульме"),
        json.dumps({"speaker": "Олег", "text": "Письмо Ефросинье Кулик", "sent_at": "when"}),
    ]
    lines = [json.dumps(good, ensure_ascii=False), *others, *hers]
    tell_file(scenario, "both.jsonl", "\n".join(lines) + "\n")
    assert quarantined(scenario) == sorted(others + hers)
    selector = Selector(subject="Ефросинья Кулик")
    with Eraser(scenario.services, scenario.tenant) as eraser:
        shown = eraser.preview(selector)
        assert shown.counts["quarantine erase"] == len(hers)
        asked = eraser.request(selector, Ground.operator, preview_digest=shown.digest)
        assert_certified(eraser.run(asked))
    assert quarantined(scenario) == sorted(others)


@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_rewritten_original_keeps_no_secret_and_no_name_of_an_erased_person(
    scenario: Scenario, ascii_only: bool
) -> None:
    lines = [
        message("Ефросинья Кулик", TOLD, "Я Ефросинья Кулик, живу в Бугульме"),
        message("Ефросинья Кулик", TOLD, "Мой пароль: hunter2-Zebra! и карта 4111 1111 1111 1111"),
        message("Ефросиньяна", TOLD, "Мой пароль: other-Pa55word"),
    ]
    path = scenario.folder / "log.jsonl"
    path.write_text("".join(json.dumps(x, ensure_ascii=ascii_only) + "\n" for x in lines))
    with scenario.pipeline() as pipeline:
        pipeline.ingest([path])
        pipeline.extract()
    assert scenario.rows(
        "select count(*) from memory.secret as s where s.tenant_id = %(tenant)s"
    ) == [(3,)]
    status = erase(scenario, Selector(subject="Ефросинья Кулик"), originals=Originals.rewrite)
    assert_certified(status)
    (said,) = [store for store in status.stores if store.store == "originals"]
    assert (said.note, said.n_found, said.n_erased) == ("1_rewritten", 1, 1)
    (vault,) = [store for store in status.stores if store.store == "vault"]
    assert (vault.n_found, vault.n_erased, vault.n_left) == (2, 2, 0)
    with Eraser(scenario.services, scenario.tenant) as eraser:
        body = eraser.certificate(status.request_id)
    assert body["secret_types"] == ["card", "password"]
    assert body["counts"]["original outside"] == 1
    assert "file redacted" not in body["counts"]
    after = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [set(line["text"] + line["speaker"]) <= {MASK, " "} for line in after[:2]] == [True] * 2
    assert after[2] == lines[2]
    assert all(a["message_id"] == b["message_id"] for a, b in zip(after, lines, strict=True))


def test_an_original_whose_secret_cannot_be_found_is_said_to_be_left(scenario: Scenario) -> None:
    text = "Живу в Бугульме, мой пароль: hunter2-Zebra!"
    chat = json.loads(telegram(90, "Ефросинья Кулик", text, "2025-03-01"))
    chat["messages"][0]["text"] = [{"type": "plain", "text": text[:20]}, text[20:]]
    chat["messages"][0]["text_entities"] = [
        {"type": "plain", "text": text[:20]}, {"type": "plain", "text": text[20:]}
    ]  # fmt: skip
    tell_file(scenario, "chat.json", json.dumps(chat, ensure_ascii=False))
    status = erase(scenario, Selector(subject="Ефросинья Кулик"), originals=Originals.rewrite)
    assert_certified(status)
    (said,) = [store for store in status.stores if store.store == "originals"]
    assert said.note == "1_partly_rewritten:secret_not_found"


@pytest.mark.parametrize("is_indexed", [False, True])
def test_an_export_for_a_person_tells_of_mentions_by_others_as_far_as_one_may_see_them(
    scenario: Scenario, is_indexed: bool
) -> None:
    scenario.tell(
        message("Ефросинья Кулик", TOLD, "Я Ефросинья Кулик, живу в Бугульме"),
        message("Олег", TOLD, "Передай Ефросинье Кулик ключи", dialog_id="o", message_id="open"),
        message("Олег", TOLD, "Ефросинью Кулик не зовём", dialog_id="s", message_id="shut",
                audience=["team"]),
        message("Олег", TOLD, "Кулик — болотная птица", dialog_id="o", message_id="bird"),
    )  # fmt: skip
    if is_indexed:
        with scenario.pipeline() as pipeline:
            pipeline.refresh_full_text()
    login = scenario.reader(f"{scenario.tenant}_public", "public")
    for reader, seen in (("operator", ["open", "shut"]), (login, ["open"])):
        with scenario.memory(reader) as memory:
            written = export_subject(
                memory, memory.subject("Ефросинья Кулик"), scenario.folder / reader, "ru"
            )
        told, document = (path.read_text(encoding="utf-8") for path in written.paths)
        mentions = json.loads(told)["mentions"]
        assert sorted(row["native_id"] for row in mentions) == seen
        assert {row["dialog"] for row in mentions} == {"o", "s"} if len(seen) > 1 else {"o"}
        assert all(row["file"] and row["position"] for row in mentions)
        assert "Передай Ефросинье Кулик ключи" in document
        items = scenario.rows(
            "select item_id::text from memory.subject_export_item where export_id = %(id)s",
            id=written.export_id,
        )
        assert {row["message_id"] for row in mentions} <= {row[0] for row in items}
