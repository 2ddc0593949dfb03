"""Places of learning in Russian."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.engine import Piece, Take
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.phrases import phrase_list
from memory_pipeline.understand.extraction.places import place_alias
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import reading

_SCHOOL = re.compile(
    r"вуз|универ|институт|академи|колледж|техникум|училищ|школ|факультет|мат\b|мехмат|физтех|фак\b|магистратур|аспирантур|бакалавриат|ординатур|"
    r"политех|консерватор|лице|курс|семинари|программ|отделени"
)


def school_ru(*cases: str) -> Take:
    """A school, faculty or course: a name, or a noun of that kind; a town is none."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        for name, a, b in phrase_list(sentence.text[:stop], start, "ru", cases, 4, 1):
            first = sentence.text[a:b].split()[0]
            town = reading(first, "Geox") is not None or place_alias(name) is not None
            named = first[0].isupper() and not town
            if named or _SCHOOL.search(name.lower()):
                yield name, a, b

    return take
