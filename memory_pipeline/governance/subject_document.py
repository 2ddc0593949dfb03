"""The document of all that is held about a person, for reading, in Russian or English."""

import json
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, TextIO

Row = Mapping[str, Any]

_WORDS: dict[str, dict[str, str]] = {
    "ru": {
        "title": "Сведения, которые хранятся о субъекте персональных данных",
        "made": "Составлено", "tenant": "Арендатор", "subject": "Субъект", "number": "Номер",
        "whole": "Показано всё, что хранится: логину {login} доступны все аудитории.",
        "partial": "Показано только то, что вправе видеть логин {login}; остальное не показано.",
        "law": "Статья 14 Федерального закона № 152-ФЗ.",
        "operator": "Указывает оператор: наименование и адрес; цели, правовые основания и способы"
        " обработки; лица, обрабатывающие данные по его поручению; трансграничная передача.",
        "names": "Имена и обозначения", "facts": "Факты", "periods": "Что и когда действовало",
        "closures": "Прекращения и исправления", "messages": "Сообщения", "mentions": "Упоминания в чужих сообщениях", "sources": "Источники",
        "recipients": "Кому передавалось", "secrets": "Секреты (только виды)",
        "automated_decisions": "Автоматизированные решения", "readers": "Кто вправе читать",
        "external": "Внешние модели", "allowed": "разрешены, заменяются: {types}",
        "forbidden": "не разрешены", "retention": "Сроки хранения", "none": "нет",
        "all": "все аудитории", "from": "с", "to": "по", "always": "всегда", "open": "настоящее время",
        "told": "сказано", "recorded": "записано", "confidence": "уверенность",
        "origin": "источник", "importance": "важность", "tags": "метки", "audience": "аудитория",
        "held": "хранится", "withdrawn": "отозвано", "erased": "уничтожено", "hidden": "скрыто",
        "not": "не", "known": "известно", "evidence": "из сообщений", "reason": "основание",
        "author": "написано субъектом", "about": "о субъекте", "dialog": "диалог",
        "file": "файл", "messages_n": "сообщений", "values_n": "значений", "everyone": "общая",
        "secret": "секрет", "undated": "без даты", "context": "контекст для модели",
        "file_out": "файл", "file_person": "файл для субъекта", "as_object": "упомянут в факте",
        "extraction": "извлечение фактов", "importance_of": "оценка важности",
    },
    "en": {
        "title": "What is held about a person",
        "made": "Made", "tenant": "Tenant", "subject": "Person", "number": "Number",
        "whole": "All that is held is shown: login {login} may read every audience.",
        "partial": "Only what login {login} may see is shown; anything else is not.",
        "law": "GDPR articles 15 and 20.",
        "operator": "The controller adds: its name and address; purposes, legal grounds and methods"
        " of the processing; its processors; transfers to third countries.",
        "names": "Names", "facts": "Facts", "periods": "What held when",
        "closures": "Ends and corrections", "messages": "Messages", "mentions": "Mentions in others' messages", "sources": "Sources",
        "recipients": "Recipients", "secrets": "Secrets (kinds only)",
        "automated_decisions": "Automated decisions", "readers": "Who may read",
        "external": "External models", "allowed": "allowed, with placeholders for: {types}",
        "forbidden": "not allowed", "retention": "Retention", "none": "none",
        "all": "all audiences", "from": "from", "to": "to", "always": "ever", "open": "further notice",
        "told": "told", "recorded": "recorded", "confidence": "confidence", "origin": "origin",
        "importance": "importance", "tags": "tags", "audience": "audience", "held": "held",
        "withdrawn": "withdrawn", "erased": "erased", "hidden": "hidden", "not": "not",
        "known": "known", "evidence": "from messages", "reason": "reason",
        "author": "written by the person", "about": "about the person", "dialog": "dialog",
        "file": "file", "messages_n": "messages", "values_n": "values", "everyone": "common",
        "secret": "secret", "undated": "undated", "context": "context for a model",
        "file_out": "file", "file_person": "file for the person", "as_object": "named in the fact",
        "extraction": "reading of facts", "importance_of": "rating of importance",
    },
}  # fmt: skip


class Document:
    """Writes the document part by part, as rows come."""

    def __init__(self, out: TextIO, lang: str) -> None:
        self._out = out
        self._lang = lang
        self._words = _WORDS[lang]
        self._group: object = None

    def begin(self, head: Row) -> None:
        """Who, when, what the login may see, who may read, what else applies."""
        w = self._words
        seen = w["whole" if head["sees_whole_tenant"] else "partial"].format(login=head["login"])
        external = head["external_models"]
        types = ", ".join(external["placeholders"]) or w["none"]
        self._lines(
            f"# {w['title']}",
            "",
            f"{w['law']} {seen}",
            "",
            f"- {w['subject']}: {_text(head['subject']['name'])}",
            f"- {w['tenant']}: {_text(head['tenant'])}",
            f"- {w['made']}: {self._at(head['made_at'])}",
            f"- {w['number']}: {head['export_id']}",
            f"- {w['external']}: "
            + (w["allowed"].format(types=types) if external["allowed"] else w["forbidden"]),
            f"- {w['retention']}: {'; '.join(r['rule'] for r in head['retention']) or w['none']}",
            f"- {w['readers']}: "
            + "; ".join(
                f"{right['login']} ({w['all'] if right['audience'] == '*' else right['audience']})"
                for right in head["readers"]
            ),
            "",
            w["operator"],
        )

    def section(self, name: str) -> None:
        """Begin a list."""
        self._group = None
        self._lines("", f"## {self._words[name]}", "")

    def end(self, name: str, n_rows: int) -> None:  # noqa: ARG002 - lists end alike
        """End a list; an empty one says so."""
        if not n_rows:
            self._lines(self._words["none"])

    def row(self, section: str, row: Row) -> None:
        """One row of a list."""
        told: list[str] = getattr(self, f"_{section}")(row)
        self._lines("- " + "; ".join(part for part in told if part))
        if section in ("messages", "mentions"):
            hidden = row["text"] is None
            self._lines(f"  > {self._words['hidden']}" if hidden else _quote(row["text"]))

    # ---------- lists

    def _names(self, row: Row) -> list[str]:
        return [f"{_text(row['name'])} ({row['form']})"]

    def _facts(self, row: Row) -> list[str]:
        w = self._words
        self._headed(row["predicate"], f"### {row[f'label_{self._lang}']} ({row['predicate']})")
        value = f"{w['secret']}: {row['secret_type']}" if row["secret_type"] else row["object"]
        negation = f"{w['not']} " if row["polarity"] == "denied" else ""
        shown = w[row["status"]] if value is None else f"{negation}{_text(value)}"
        return [
            shown,
            w["as_object"] if row["role"] == "object" else "",
            self._span(row["valid_from"], row["valid_to"]),
            f"{w['told']} {self._at(row['told_at'])}",
            f"{w['recorded']} {self._at(row['recorded_at'])}",
            f"{w['confidence']} {row['confidence']:.2f}",
            f"{w['origin']} {row['origin']}",
            f"{w['importance']} {row['importance']}",
            f"{w['tags']} {', '.join(row['tags']) or w['none']}",
            self._audience(row),
            w[row["status"]],
            f"{w['reason']} {_text(row['reason'])}" if row["reason"] else "",
            self._evidence([e["message_id"] for e in row["evidence"]]),
        ]

    def _periods(self, row: Row) -> list[str]:
        w = self._words
        self._headed(row["predicate"], f"### {row['predicate']}")
        return [
            w["erased"]
            if row["erased"]
            else _text(row["object"])
            if row["object"]
            else w["secret"],
            self._span(row["valid_from"], row["valid_to"]),
            f"{w['known']} {self._span(row['known_from'], row['known_to'])}",
        ]

    def _closures(self, row: Row) -> list[str]:
        w = self._words
        return [
            f"{row[f'label_{self._lang}']}: {row['action']}",
            "" if row["object"] is None else _text(row["object"]),
            f"{w['to']} {self._at(row['ended_at'])}" if row["ended_at"] else "",
            f"{w['told']} {self._at(row['told_at'])}",
            w[row["status"]],
            self._evidence(row["evidence"]),
        ]

    def _messages(self, row: Row) -> list[str]:
        w = self._words
        self._headed(row["dialog_id"], f"### {w['dialog']} {row['dialog_id']}")
        return [
            f"{row['message_id']}, {self._at(row['edited_at'] or row['sent_at'])}",
            w["author" if row["role"] == "author" else "about"],
            w["withdrawn"] if row["withdrawn"] else "",
            self._audience(row),
            f"{w['importance']} {row['importance']}" if row["importance"] else "",
        ]

    def _mentions(self, row: Row) -> list[str]:
        w = self._words
        self._headed(row["dialog_id"], f"### {w['dialog']} {row['dialog_id']}")
        return [
            f"{row['message_id']}, {self._at(row['sent_at'])}",
            f"{w['file']} {_text(row['file'] or row['file_id'])}, {row['position']}",
            self._audience(row),
        ]

    def _sources(self, row: Row) -> list[str]:
        w = self._words
        return [
            f"{w['file']} {_text(row['file'] or row['file_id'])} ({row['reader']}, {row['first_seen_day']})",
            f"{w['dialog']} {_text(row['title'] or row['native_id'] or row['dialog_id'])}",
            f"{w['messages_n']} {row['n_messages']}",
        ]

    def _recipients(self, row: Row) -> list[str]:
        kind = {"context": "context", "file": "file_out"}.get(row["kind"], "file_person")
        return [self._words[kind], row["login"], self._at(row["at"]), row["path"] or ""]

    def _secrets(self, row: Row) -> list[str]:
        return [row["type"], f"{self._words['values_n']} {row['n_values']}"]

    def _automated_decisions(self, row: Row) -> list[str]:
        what = "extraction" if row["what"] == "extraction" else "importance_of"
        return [self._words[what], row["by"], row["program"], row["result"] or "", str(row["n"])]

    # ---------- words

    def _headed(self, group: object, title: str) -> None:
        if group != self._group:
            self._lines(*([] if self._group is None else [""]), title, "")
            self._group = group

    def _span(self, start: datetime | None, end: datetime | None) -> str:
        w = self._words
        since = w["always"] if start is None else f"{w['from']} {self._at(start)}"
        return f"{since} {w['to']} {w['open'] if end is None else self._at(end)}"

    def _at(self, moment: datetime | date | None) -> str:
        if moment is None:
            return self._words["undated"]
        if self._lang == "ru":
            return f"{moment:%d.%m.%Y %H:%M}"
        return f"{moment:%Y-%m-%d %H:%M}"

    def _audience(self, row: Row) -> str:
        w = self._words
        return f"{w['audience']} {', '.join(row['audience']) or w['everyone']}"

    def _evidence(self, message_ids: list[Any]) -> str:
        if not message_ids:
            return ""
        return f"{self._words['evidence']} {', '.join(map(str, message_ids))}"

    def _lines(self, *lines: str) -> None:
        self._out.write("\n".join(lines) + "\n")


def _text(value: object) -> str:
    """A value on one line."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return " ".join(text.split())


def _quote(text: str) -> str:
    return "\n".join(f"  > {line}" for line in text.splitlines() or [""])
