"""Rules for `address`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Who
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated

RU_ADDRESS = Gated(
    r"(?:\b(?:город|г\.)\s*[А-ЯЁ][\w-]+,\s*|(?<![\w.])[А-ЯЁ][а-яё-]+,\s+(?=(?:ул|улица|пр|просп|пер|наб|б-р|ш)\b))?"
    r"(?:\b(?:ул\.?|улиц[аеуы]|пр-т|просп\.?|проспект[ае]?|пер\.?|переул\w+|наб\.?|набережн\w+|ш\.|шоссе|б-р|бульвар[ае]?|проезд[ае]?|площадь|пл\.)\s+[А-ЯЁ\d][\w.-]*(?:\s+[А-ЯЁа-яё][\w-]*){0,2}"
    r"|\b[А-ЯЁ][а-яё]+(?:\s+[А-ЯЁа-яё][а-яё]+)?(?:\s+(?:проезд|переулок|проспект|шоссе|бульвар|улица|набережная|пр-т|ул\.))?)"
    r",?\s*(?:д\.?\s*|дом\s+)?\d{1,4}[а-яА-Я]?(?:\s?[/к-]\s?\d{1,3})?(?:,?\s*(?:корп\.?|к\.|стр\.?)\s*\d+)?(?:,?\s*(?:кв\.?|квартира|оф\.?|офис)\s*\d+)?(?![\d.:]|\s*(?:%|лет|руб|тыс|час|мин|дн|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек|год|мес|км|кг|шт))"
)
EN_ADDRESS = Gated(
    r"\b\d{1,5}[A-Za-z]?\s+(?:[NSEW]\.?\s+)?(?:[A-Z][\w'’.-]*\s+){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Way|Close|Crescent|Terrace|Square|Sq|Row|Hill|Gardens|Grove|Parade|Walk|Highway|Hwy|Quay|Mews|Circle|Cir|Parkway|Pkwy|Trail|Alley)\b\.?"
    r"(?:,?\s*(?:Apt|Apartment|Unit|Flat|Suite|Ste|#)\.?\s*#?\w+)?(?:,\s+[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+)?(?:,\s+[A-Z]{2}\b)?(?:\s+\d{5})?)?"
)
ADDRESS_CUE = re.compile(
    r"\b(?:адрес\w*|доставк\w+|доставля\w+|привоз\w+|вез(?:и|ите)|возите|курьер\w*|посылк\w+|присыл\w+|прописан\w*|живу|живем|переехал\w*|переезжа\w+|квартир\w+ на|"
    r"address|parcels?|deliver\w*|ship(?:ping|ped)?|mail|post|send|live at|living at|moved to|moving to|courier|package|packages|drop|we're at|i'm at|now at)\b|(?:^|\s)(?:на|с\s+\S+(?:\s+\S+)?\s+(?:уже\s+)?на|it's|from .* it's)\s+$"
)


def addresses(sentence: Sentence) -> Iterator[Found]:
    """Addresses with a house number that the sentence gives as somebody's own."""
    pattern = RU_ADDRESS if sentence.lang == "ru" else EN_ADDRESS
    for n, found in enumerate(pattern.finditer(sentence.text)):
        if sentence.lang == "ru" and not re.search(
            r"(?:ул|улиц|пр-т|просп|пер\.|переул|наб|ш\.|шоссе|б-р|бульвар|проезд|площад|пл\.|кв\.?|квартира)",
            found[0],
            re.IGNORECASE,
        ):
            continue
        before = sentence.low[: found.start()]
        if (
            not ADDRESS_CUE.search(before)
            and not (n and ADDRESS_CUE.search(sentence.low))
            and found.end() - found.start() < len(sentence.text) * 0.7
        ):
            continue
        value = re.sub(r"\bкв\.?\s*(?=\d)", "кв. ", found[0]).strip(" ,")
        begins = (
            re.search(r"\b(?:с|from|starting|as of|переез\w+|перее\w+|mov\w+)\b", before[-40:])
            is not None
        )
        yield Found(
            "address",
            value,
            found.start(),
            found.end(),
            Mode.change if begins else Mode.state,
            Who.open,
            confidence=0.85,
        )
