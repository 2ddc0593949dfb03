"""Denials of every value of a predicate by its owner ("I'm not allergic to anything")."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.sentences import Sentence, lower
from memory_pipeline.understand.gated import Gated

_ADV = r"(?:actually\s+|really\s+|honestly\s+|currently\s+|definitely\s+|still\s+)*"
_SUCH_EN = r"(?:known\s+|food\s+|drug\s+|other\s+)?"
_NONE: tuple[tuple[str, Gated], ...] = (
    (
        "allergy",
        Gated(
            rf"\b(?:i'm|i am|im)\s+{_ADV}not\s+{_ADV}allergic\s+to\s+anything\b"
            rf"|\bi(?:'m| am)\s+{_ADV}allergic\s+to\s+nothing\b"
            r"|\bi(?:'ve| have)\s+never\s+been\s+allergic\s+to\s+anything\b"
            rf"|\bi(?:\s+{_ADV}do\s?n[o']t\s+have|'ve never had|\s+have never had)\s+(?:any|a single)\s+{_SUCH_EN}allerg(?:y|ies)\b"
            rf"|\bi(?:'ve got|\s+have|\s+{_ADV}have|\s+have got)\s+(?:absolutely\s+)?no\s+{_SUCH_EN}allergies\b"
            r"|\bу\s+меня\s+(?:\w+\s+)?(?:нет|нету|не\s+было|никогда\s+не\s+было)\s+(?:никакой\s+|никаких\s+)?аллерги[ий]\b(?!\s+на\b)"
            r"|\b(?:нет|нету)\s+у\s+меня\s+(?:никакой\s+|никаких\s+)?аллерги[ий]\b(?!\s+на\b)"
            r"|\b(?:никакой\s+|никаких\s+)?аллерги[ий]\s+у\s+меня\s+(?:ни\s+на\s+что\s+)?(?:нет|нету)\b(?!\s+на\b)"
            r"|\bу\s+меня\s+ни\s+на\s+что\s+(?:нет|нету)\s+(?:никакой\s+)?аллергии\b"
            r"|\b(?:я\s+)?не\s+аллергик\b(?!\s+на\b)"
        ),
    ),
    (
        "medication",
        Gated(
            r"\bi\s+(?:do\s?n[o']t|do not)\s+take\s+any\s+(?:medications?|medicines?|meds|pills|drugs)\b"
            r"|\bi(?:'m| am)\s+not\s+(?:on|taking)\s+any\s+(?:medications?|medicines?|meds|pills|drugs)\b"
            r"|\b(?:я\s+)?не\s+(?:принимаю|пью)\s+никаких\s+(?:лекарств|таблеток|препаратов)\b"
            r"|\bникаких\s+(?:лекарств|таблеток|препаратов)\s+(?:я\s+)?не\s+(?:принимаю|пью)\b"
        ),
    ),
    (
        "pet",
        Gated(
            r"\bi\s+(?:do\s?n[o']t|do not)\s+have\s+any\s+(?:pets|animals)\b|\bi\s+have\s+no\s+(?:pets|animals)\b"
            r"|\bу\s+(?:меня|нас)\s+(?:нет|нету)\s+(?:никаких\s+)?(?:питомцев|домашних\s+животных|животных)\b"
        ),
    ),
)
_ON_ONE = re.compile(r"(?<!\bни )\bна\s+[\w-]+(?:\s[\w-]+)?\s*$")
"""What alone the denial is of ("на собак аллергии у меня нет")."""
_BUT = Gated(
    r"\b(?:except|besides|apart|other than|but(?! i\b)|only|else|just|yet|кроме|только|лишь|помимо|разве|а вот|зато)\b"
)


def nothing_of(sentence: Sentence, scene: Scene) -> Iterator[Found]:  # noqa: ARG001
    """An end of whatever was told, where the speaker has nothing of the kind."""
    for predicate, none in _NONE:
        found = none.search(sentence.low)
        if (
            found is None
            or _BUT.search(sentence.low)
            or _ON_ONE.search(sentence.low, 0, found.start())
        ):
            continue
        yield Found(
            predicate,
            None,
            found.start(),
            found.end(),
            Mode.end,
            Who.first,
            confidence=0.85,
            dated=False,
        )


_NEVER = Gated(
    r"\b(?:never|не\s+говорил[аи]?|никогда\s+не|and never have|made (?:that|it) up|не\s+было\s+никогда)\b"
)


def none_ever(found: Found, sentence: str) -> bool:
    """Whether a sentence that has none of a kind says that it was never so, or never said."""
    is_kind = any(found.predicate == predicate for predicate, _ in _NONE)
    return is_kind and _NEVER.search(lower(sentence)) is not None
