"""Rules for `email` and `phone`."""

import re
from collections.abc import Iterator

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.extraction.subjects import persons
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import parses

EMAIL = Gated(r"[A-Za-z0-9][\w.+%-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}")
PHONE = Gated(
    r"(?<![\w.+-])(?:\+\d{1,3}[\s-]?|8[\s-]?(?=\()|8[\s-])?(?:\(\d{2,5}\)[\s-]?|\d{2,5}[\s-])?\d{2,4}[\s-]?\d{2,4}(?:[\s-]?\d{2,4}){0,2}(?![\w-])"
)
_PHONE_CUE = re.compile(
    r"\b(?:телефон\w*|номер\w*|тел\.?|звони\w*|позвони\w*|симк\w+|сим-карт\w+|запиши\w*\s+(?:мой\s+)?нов\w+|whatsapp|ватсап\w*|сотов\w+|мобильн\w+|моб\b|набир\w+|набер\w+|контакт\w*|связ\w+|дозвон\w+|достуч\w+|вотсап\w*|вацап\w*|вайбер\w*|телеграм\w*|трубк\w+|phone|number|tel|contact no|call|ring|text|cell|mobile|reach|dial|use|try|whatsapp me|(?:i'm|im|me|am) on)\b"
)
_EMAIL_CUE = Gated(
    r"\b(?:почт\w+|стуч\w+|строч\w+|черкни\w*|жду\s+на|ловите\s+на|e-?mail|мейл\w*|имейл\w*|ящик|пиши\w*|присыла\w+|пришл\w+|высыла\w+|вышл\w+|отправ\w+|шли\w*|скинь\w*|скид\w+|кидай\w*|связ\w+|электрон\w+|мыло|контакт\w*|адрес\w*|мой|моя|mail|reach|write|send|address|contact|use|my|me|check|mine|pls|please)\b"
)
_HYPOTHETICAL = frozenset({"hypothetical"})
"""A number is one's own whatever condition it is given under ("if you need me I'm on …")."""
_DIGIT = re.compile(r"\d")
_OTHER = re.compile(
    r"\b(?:his|her|their|your|его|ее|их|твой|твоя|ваш|support|info|noreply|sales|компании|клиента|заказ\w*|order|ticket)\b"
)
_OF_SOMETHING = re.compile(
    r"\b(?:номер|телефон|почт[ауы]|ящик|контакт|мейл|имейл|адрес)\s+(?:[а-я]+(?:ого|его|ой|ей)\s+)?(?P<of>[а-я]{3,})\s*[-—:]?\s*$"
)


def _of_something(low: str) -> bool:
    """Whether a genitive gives a contact to something or somebody that is no person of the memory
    ("номер курьера", "почта бухгалтерии")."""
    found = _OF_SOMETHING.search(low)
    if found is None or found["of"] in ("телефона", "мобильного", "сотового", "доставки", "связи"):
        return False
    return any("NOUN" in p.tag and p.tag.case == "gent" for p in parses(found["of"])[:2])


_GONE = re.compile(
    r"\b(?:закрыт|не работает|больше не|не пишите|не актуал\w+|старый|прежний|dead|no longer|old|don't use|stopped|not my|не мой|вообще не мой)\b"
)


_GONE_AFTER = re.compile(
    r"[^.!?;\d@]{0,12}\b(?:больше не|не работает|не действует|не актуал\w+|неактуал\w+|отключ\w+|заблокир\w+|удали\w+|закрыт\w*|забуд\w+)\b"
)


def _is_gone_after(low: str, at: int) -> bool:
    return _GONE_AFTER.match(low, at) is not None


_OWNED_EN = re.compile(
    r"'s\s+(?:new\s+|work\s+|personal\s+|old\s+|home\s+)*(?:e-?mail|mail|number|phone|mobile|cell|whatsapp)\b"
)


def _owner(sentence: Sentence, scene: Scene, at: int) -> SubjectRef | None:
    """Whose it is, where the sentence says it is not the speaker's ("у мамы телефон…", "Mum's
    email is …")."""
    if sentence.lang != "ru":
        owned = _OWNED_EN.search(sentence.low, 0, at)
        owners = [
            p.ref for p in (persons(sentence, scene) if owned else ())
            if owned and owned.start() <= p.end <= owned.start() + 2
        ]  # fmt: skip
        return owners[-1] if owners else None
    near = [p for p in persons(sentence, scene) if p.end <= at]
    calls = re.search(r"\b(?:звони\w*|пиши\w*|набер\w+|набира\w+)\b", sentence.low[:at])
    named = [
        p for p in near if ("gent" in p.cases or (calls and "datv" in p.cases)) and not p.pronoun
    ]
    if not named or named[-1].first or named[-1].ref is None:
        return None
    return named[-1].ref if named[-1].kind or named[-1].name else None


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """E-mail addresses and phone numbers that the sentence gives as somebody's own."""
    text, low = sentence.text, sentence.low
    if "@" in text:
        found_mail = list(EMAIL.finditer(text))
        for i, found in enumerate(found_mail):
            before = low[found_mail[i - 1].end() if i else 0 : found.start()]
            if _OTHER.search(before) or not (
                _EMAIL_CUE.search(low)
                or found.start() == 0
                or found.end() - found.start() > 0.6 * len(text)
            ):
                continue
            gone = _is_gone_after(low, found.end()) or (
                _GONE.search(before)
                and not re.search(
                    r"\b(?:use|теперь|now|instead|(?:пиш|шл|присыла|отправля|кида|скидыва|высыла|дублиру)[а-я]*\s+(?:все\s+)?на)\b",
                    before,
                )
            )
            owner = _owner(sentence, scene, found.start())
            if owner is None and _of_something(before):
                continue
            yield Found(
                "email",
                found[0].rstrip("."),
                found.start(),
                found.end(),
                Mode.end if gone else Mode.state,
                Who.first,
                owner,
                confidence=0.9,
                dated=False,
                ignores=_HYPOTHETICAL,
            )
    if sentence.has_digit and len(_DIGIT.findall(text)) >= 7:
        for found in PHONE.finditer(text):
            digits = re.sub(r"\D", "", found[0])
            if not 7 <= len(digits) <= 15:
                continue
            before = low[max(0, found.start() - 60) : found.start()]
            plus = found[0].strip().startswith("+")
            if not (
                _PHONE_CUE.search(before)
                or (
                    plus
                    and (
                        _PHONE_CUE.search(low)
                        or len(found[0]) > 0.6 * len(text)
                        or re.search(r"\b(?:мой|my|mine)\b", before)
                    )
                )
            ):
                continue
            if not plus and len(digits) < 10 and not re.search(r"[\s-]", found[0].strip()):
                continue
            if re.search(
                r"\b(?:заказ\w*|order|ticket|счет\w*|инн|снилс|карт\w+|card|invoice|tracking|договор\w*|паспорт\w*)\W*$",
                before,
            ) or _OTHER.search(before[-25:]):
                continue
            gone = _is_gone_after(low, found.end()) or (
                _GONE.search(before)
                and not re.search(r"\b(?:мой|my|mine|теперь|now|new|новый)\W*$", before)
            )
            owner = _owner(sentence, scene, found.start())
            if owner is None and _of_something(before):
                continue
            yield Found(
                "phone",
                found[0].strip(),
                found.start(),
                found.end(),
                Mode.end if gone else Mode.state,
                Who.first,
                owner,
                confidence=0.9,
                dated=False,
                ignores=_HYPOTHETICAL,
            )
