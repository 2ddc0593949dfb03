"""Papers for the authorities and the person: rendered on demand, kept outside the store.

For 152-FZ the act of destruction and the extract of the log, in Russian, with the fields that order
179 of Roskomnadzor of 28 October 2022 asks for; both name the person, so the operator supplies that,
and keeps both for three years. For GDPR a confirmation in English (articles 12(3) and 17).
"""

import csv
import errno
import io
import json
import os
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Self
from zoneinfo import ZoneInfo

import yaml
from pydantic import Field, StringConstraints, model_validator

from memory_pipeline.contracts.base import Contract

GDPR = "gdpr_"

_GROUNDS_RU = {
    "consent_withdrawn": "отзыв согласия на обработку персональных данных"
    " (часть 5 статьи 21 Федерального закона № 152-ФЗ)",
    "purpose_reached": "достижение цели обработки персональных данных"
    " (часть 4 статьи 21 Федерального закона № 152-ФЗ)",
    "unlawful": "выявление неправомерной обработки персональных данных"
    " (часть 3 статьи 21 Федерального закона № 152-ФЗ)",
    "not_necessary": "данные не являются необходимыми для заявленной цели обработки или незаконно"
    " получены (часть 3 статьи 20 Федерального закона № 152-ФЗ)",
    "stop_processing": "требование субъекта о прекращении обработки персональных данных"
    " (часть 5.1 статьи 21 Федерального закона № 152-ФЗ)",
    "retention": "истечение срока хранения, установленного оператором",
    "operator": "решение оператора",
}
_GROUNDS_EN = {
    "gdpr_consent": "consent withdrawn (article 17(1)(b))",
    "gdpr_objection": "objection to the processing (article 17(1)(c))",
    "gdpr_no_longer_needed": "no longer necessary for its purpose (article 17(1)(a))",
    "gdpr_unlawful": "unlawful processing (article 17(1)(d))",
    "gdpr_obligation": "legal obligation (article 17(1)(e))",
}
_CATEGORIES_RU = {
    "location": "сведения о месте нахождения и проживания",
    "health": "сведения о состоянии здоровья",
    "finance": "финансовые сведения",
    "work": "сведения о работе и проектах",
    "family": "сведения о семье",
    "identity": "идентифицирующие сведения",
    "contact": "контактные данные",
    "legal": "сведения о договорах",
    "preference": "предпочтения",
    "event": "сведения о событиях и мероприятиях",
}
_SECRETS_RU = {
    "card": "номера платёжных карт",
    "bank_account": "номера банковских счетов",
    "iban": "номера банковских счетов (IBAN)",
    "passport_ru": "паспортные данные",
    "inn": "ИНН",
    "snils": "СНИЛС",
    "api_key": "ключи доступа к программам",
    "password": "пароли",
    "name_full": "фамилия, имя, отчество",
    "health": "сведения о состоянии здоровья",
    "phone": "номера телефонов",
    "address": "адреса",
    "birth_date": "дата рождения",
    "email": "адреса электронной почты",
    "ip": "сетевые адреса",
    "geo": "географические координаты",
}
_OTHER_RU = "иные сведения"
"""What a tag or type of the operator's own is called, which has no Russian name here."""
_STEPS_RU = {
    "fenced": "доступ закрыт",
    "discovered": "состав данных определён",
    "keys_destroyed": "ключи и секреты уничтожены",
    "erased": "записи удалены",
    "erased_more": "найденные позже записи удалены",
    "scrubbed": "остатки на носителе затёрты",
    "verified": "отсутствие данных проверено",
    "certified": "свидетельство выдано",
}
_METHOD_RU = (
    "удаление записей и затирание фрагментов текста в базе данных информационной системы с"
    " последующей перезаписью затронутых таблиц и индексов, уничтожение ключей и секретов в"
    " хранилище секретов, удаление производных файлов"
)


Said = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Destroyer(Contract):
    """Who destroyed: as the act is signed."""

    name: Said
    position: Said


class ActFacts(Contract):
    """What only the operator knows; nothing of it is kept in the store."""

    operator_name: Said
    operator_address: Said
    subject: Said
    information_system: Said
    destroyed_by: tuple[Destroyer, ...] = Field(min_length=1)
    processor_name: Said | None = None
    processor_address: Said | None = None
    method: Said | None = None

    @model_validator(mode="after")
    def _processor_is_whole(self) -> Self:
        if (self.processor_name is None) != (self.processor_address is None):
            raise ValueError("processor_name and processor_address are given together, or neither")
        return self


TEMPLATE = """\
# Сведения для акта об уничтожении персональных данных; заполните и передайте с --facts.
operator_name: ""
operator_address: ""
# лицо, обрабатывавшее данные по поручению оператора, если было
processor_name: null
processor_address: null
# фамилия, имя, отчество субъекта или иные сведения, относящиеся к нему
subject: ""
information_system: ""
destroyed_by:
  - name: ""
    position: ""
# способ уничтожения; без него берётся описание этой системы
method: null
"""


def read_facts(path: Path) -> ActFacts:
    """The operator's facts from YAML. Raises `OSError`, and `ValueError` that names the fields."""
    try:
        stated = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise ValueError(f"{path.name}{line}: no YAML; start from `erase act --template`") from None
    if not isinstance(stated, dict):
        raise ValueError(f"{path.name}: fields are expected; start from `erase act --template`")
    return ActFacts.model_validate(stated)


def destroyed_at(certificate: dict[str, Any]) -> str:
    """When the content went, in the tenant's zone: the moment of the certified request's scrub."""
    by_step = {step["step"]: step["at"] for step in certificate["steps"]}
    return _local(certificate, str(by_step.get("scrubbed", certificate["issued_at"])))


def _local(certificate: dict[str, Any], moment: str) -> str:
    """A moment to the second on the tenant's clock, with its offset."""
    zone = ZoneInfo(certificate.get("tz", "UTC"))
    return datetime.fromisoformat(moment).astimezone(zone).isoformat(timespec="seconds")


def act(certificate: dict[str, Any], facts: ActFacts) -> dict[str, Any]:
    """The act of destruction: the fields of order 179, point 3, by name."""
    ground = certificate["ground"]
    return {
        "document": "Акт об уничтожении персональных данных",
        "request_id": certificate["request_id"],
        "operator": {"name": facts.operator_name, "address": facts.operator_address},
        "processor": facts.processor_name
        and {"name": facts.processor_name, "address": facts.processor_address},
        "subject": facts.subject,
        "destroyed_by": [person.model_dump() for person in facts.destroyed_by],
        "categories": _categories(certificate),
        "carriers": "на бумажных носителях данные не обрабатывались",
        "information_system": facts.information_system,
        "method": facts.method or _METHOD_RU,
        "reason": _GROUNDS_RU.get(ground) or _GROUNDS_EN.get(ground, ground),
        "destroyed_at": destroyed_at(certificate),
        "keep_until": _three_years(destroyed_at(certificate)),
    }


def _categories(certificate: dict[str, Any]) -> list[str]:
    named = [_CATEGORIES_RU.get(tag, _OTHER_RU) for tag in certificate["categories"]]
    named += [_SECRETS_RU.get(kind, _OTHER_RU) for kind in certificate.get("secret_types", ())]
    # what has no name stands last, and each once
    once = sorted(dict.fromkeys(named), key=_OTHER_RU.__eq__)
    return once or ["сведения из диалогов без отдельной категории"]


def _three_years(moment: str) -> str:
    day = datetime.fromisoformat(moment).date()
    is_leap_day = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year + 3, day=28 if is_leap_day else day.day).isoformat()


def act_text(fields: dict[str, Any]) -> str:
    """The act for signing, in Russian."""
    processor = fields["processor"]
    signed = "\n".join(
        f"- {person['position']}, {person['name']}: ____________________"
        for person in fields["destroyed_by"]
    )
    return f"""\
# {fields["document"]}

Заявка: {fields["request_id"]}

1. Оператор: {fields["operator"]["name"]}, {fields["operator"]["address"]}
2. Лицо, обрабатывавшее данные по поручению оператора: {
        f"{processor['name']}, {processor['address']}" if processor else "нет"
    }
3. Субъект персональных данных: {fields["subject"]}
4. Категории уничтоженных персональных данных: {"; ".join(fields["categories"])}
5. Материальные носители: {fields["carriers"]}
6. Информационная система: {fields["information_system"]}
7. Способ уничтожения: {fields["method"]}
8. Причина уничтожения: {fields["reason"]}
9. Дата уничтожения: {fields["destroyed_at"]}

Данные уничтожили:

{signed}

К акту приложена выгрузка из журнала. Хранить до {fields["keep_until"]}.
"""


def log_extract(certificate: dict[str, Any], facts: ActFacts) -> str:
    """The extract of the log of events, as CSV (order 179, point 5): one line a step."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ("субъект", "категории", "информационная система", "причина", "дата", "событие", "номер")
    )
    fields = act(certificate, facts)
    for step in certificate["steps"]:
        row = (
            fields["subject"], "; ".join(fields["categories"]), fields["information_system"],
            fields["reason"], _local(certificate, step["at"]), _STEPS_RU.get(step["step"], step["step"]), step["seq"],
        )  # fmt: skip
        writer.writerow([_plain(value) for value in row])
    return out.getvalue()


def _plain(value: object) -> str:
    """A cell that no spreadsheet takes for a formula."""
    text = str(value)
    return f"'{text}" if text.lstrip().startswith(("=", "+", "-", "@")) else text


def confirmation(certificate: dict[str, Any], facts: ActFacts) -> str:
    """The confirmation for the person under GDPR, in English."""
    backups = certificate["backups_until"]
    kept = (
        f"Backup copies may hold the data until {backups}; they are not used for anything else and"
        " the erasure is repeated if one is restored."
        if backups
        else "No backup copies are known to this installation."
    )
    ground = _GROUNDS_EN.get(certificate["ground"]) or certificate["ground"]
    return f"""\
# Confirmation of erasure

To: {facts.subject}

{facts.operator_name}, {facts.operator_address}, confirms under articles 12(3) and 17 of Regulation
(EU) 2016/679 that on {destroyed_at(certificate)} the personal data of your request were erased from
{facts.information_system}.

- request: {certificate["request_id"]}, received {certificate["received_at"]}
- ground: {ground}
- categories: {", ".join(_categories_en(certificate)) or "data from dialogs without a category"}

{kept} Recipients of exported files have been listed for the notice of article 19.
"""


def _categories_en(certificate: dict[str, Any]) -> list[str]:
    secrets = [kind.replace("_", " ") for kind in certificate.get("secret_types", ())]
    return list(dict.fromkeys([*certificate["categories"], *secrets]))


def write_papers(certificate: dict[str, Any], facts: ActFacts, folder: Path) -> list[Path]:
    """Write the act (JSON and text) and the log's extract, or the confirmation for a ground of
    GDPR, readable by their owner alone; returns the files. Raises `OSError`; overwrites nothing."""
    request_id = certificate["request_id"]
    if certificate["ground"].startswith(GDPR):
        papers = {f"confirmation_{request_id}.md": confirmation(certificate, facts)}
    else:
        fields = act(certificate, facts)
        papers = {
            f"act_{request_id}.json": json.dumps(fields, ensure_ascii=False, indent=2) + "\n",
            f"act_{request_id}.md": act_text(fields),
            f"log_{request_id}.csv": log_extract(certificate, facts),
        }
    folder.mkdir(parents=True, exist_ok=True)
    for name in papers:
        if (folder / name).exists():
            raise FileExistsError(errno.EEXIST, "is there already", str(folder / name))
    written = []
    for name, text in papers.items():
        path = folder / name
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            out.write(text)
        written.append(path)
    return written
