"""Rules for `email` and `phone`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated

EMAIL = Gated(r"[A-Za-z0-9][\w.+%-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}")
PHONE = Gated(
    r"(?<![\w.+-])(?:\+\d{1,3}[\s-]?|8[\s-])?(?:\(\d{2,5}\)[\s-]?|\d{2,5}[\s-])?\d{2,4}[\s-]?\d{2,4}(?:[\s-]?\d{2,4}){0,2}(?![\w-])"
)
_PHONE_CUE = re.compile(
    r"\b(?:телефон\w*|номер\w*|тел\.?|звони\w*|позвони\w*|whatsapp|ватсап\w*|сотов\w+|мобильн\w+|phone|number|call|text|cell|mobile|reach|dial)\b"
)
_EMAIL_CUE = Gated(
    r"\b(?:почт\w+|e-?mail|мейл\w*|имейл\w*|ящик|пиши\w*|присыла\w+|шли\w*|скиньте|мой|моя|mail|reach|write|send|address|contact|use|my|me)\b"
)
_DIGIT = re.compile(r"\d")
_OTHER = re.compile(
    r"\b(?:his|her|their|your|его|ее|их|твой|твоя|ваш|support|info|noreply|sales|компании|клиента|заказ\w*|order|ticket)\b"
)
_GONE = re.compile(
    r"\b(?:закрыт|не работает|больше не|не пишите|не актуал\w+|старый|прежний|dead|no longer|old|don't use|stopped|not my|не мой|вообще не мой)\b"
)


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:  # noqa: ARG001 - a rule's signature
    """E-mail addresses and phone numbers that the sentence gives as somebody's own."""
    text, low = sentence.text, sentence.low
    if "@" in text:
        found_mail = list(EMAIL.finditer(text))
        for i, found in enumerate(found_mail):
            before = low[found_mail[i - 1].end() if i else 0 : found.start()]
            if _OTHER.search(before) or not (
                _EMAIL_CUE.search(low) or found.end() - found.start() > 0.6 * len(text)
            ):
                continue
            gone = _GONE.search(before) and not re.search(
                r"\b(?:use|теперь|now|пишите на|instead)\b", before
            )
            yield Found(
                "email",
                found[0].rstrip("."),
                found.start(),
                found.end(),
                Mode.end if gone else Mode.state,
                Who.first,
                confidence=0.9,
                dated=False,
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
            gone = _GONE.search(before) and not re.search(
                r"\b(?:мой|my|mine|теперь|now|new|новый)\W*$", before
            )
            yield Found(
                "phone",
                found[0].strip(),
                found.start(),
                found.end(),
                Mode.end if gone else Mode.state,
                Who.first,
                confidence=0.9,
                dated=False,
            )
