"""Skills told by a verb, put into the infinitive."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.engine import Piece
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import parses

_VAGUE = re.compile(
    r"(?:быть|жить|ждать|делать|думать|говорить|слушать|любить|прощать|радовать|отдыха|спать|ценить|держать|видеть|помочь|понимать|справляться|расслабля|отказывать|молчать|верить|терпеть|признавать|принимать)"
)


def skill_verb_ru(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """What one can do, as an infinitive phrase ("рисую" → "рисовать")."""
    words = re.split(r"\s+(?:и|а|но|уже|чтобы|еще|потому|если|когда|с детства)\b", sentence.low[start:stop])[0].split()  # fmt: skip
    if not words or len(words) > 5 or _VAGUE.match(words[0]):
        return
    verb = next((p for p in parses(words[0]) if p.tag.POS in ("INFN", "VERB")), None)
    if words[0] == "пою":
        words[0] = "петь"
        verb = parses("петь")[0]
    if verb is None:
        return
    infinitive = words[0] if verb.tag.POS == "INFN" else verb.normal_form
    value = " ".join([infinitive, *words[1:]])
    yield value, start, min(stop, start + len(" ".join(words)))
