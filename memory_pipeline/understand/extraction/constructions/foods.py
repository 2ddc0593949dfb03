"""What is eaten and drunk: the objects of diets."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.engine import Piece, Take
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.phrases import phrase_list
from memory_pipeline.understand.extraction.rules.health_ru import without_ru
from memory_pipeline.understand.extraction.sentences import Sentence

FOOD_RU = (
    r"(?:красное\s+|красного\s+|сыр\w+\s+|жарен\w+\s+|коровье\s+)?(?:мяс\w*|рыб[аыуо]\w*|свинин\w*|говядин\w*|баранин\w*|куриц\w*|птиц\w*|молок\w*|молочк\w*|молочн\w+|лактоз\w*|глютен\w*|сахар\w*|сладк\w+|мучн\w+|"
    r"хлеб\w*|яйц\w*|яиц|орех\w*|морепродукт\w*|креветк\w*|сыр[аыу]?|творог\w*|алкогол\w*|спиртн\w+|вин[оа]|пив[оа]|кофеин\w*|кофе|соль|сол[иью]|соленое|жирн\w+|жарен\w+|остр\w+|фастфуд\w*|колбас\w*|картошк\w*|картофел\w*|рис\w*|"
    r"макарон\w*|дрожж\w*|со[яюи]|грибы|грибов|мед[а]?|цитрус\w*|шоколад\w*|газировк\w*|углевод\w*|животн\w+\s+(?:белок|продукт\w*|жир\w*)|субпродукт\w*|трансжир\w*|бобов\w+|пшениц\w*|кукуруз\w*|лук\w?|чеснок\w*|помидор\w*|томат\w*)"
)
FOOD_EN = (
    r"(?:red meat|meat|beef|pork|chicken|poultry|fish|seafood|shellfish|shrimp|dairy|milk|cheese|lactose|gluten|wheat|bread|sugar|sweets|candy|soda|caffeine|coffee|alcohol|booze|liquor|wine|beer|eggs?|nuts|peanuts|soy|carbs|"
    r"fried food|junk food|fast food|processed food|salt|spicy food|gelatin|honey|animal products|mushrooms|onions?|garlic|tomatoes|corn|rice|potatoes|lamb|bacon|butter|oil|chocolate|grains|legumes|beans|added sugar|refined sugar)"
)
_FOOD_RU = re.compile(FOOD_RU + r"(?![\w-])")
_FOOD_EN = re.compile(FOOD_EN + r"(?![\w-])")
_LISTED = re.compile(rf"\s*(?:any\s+|all\s+|most\s+|the\s+)?({FOOD_EN})(?![\w-])")
_JOINT = re.compile(r"\s*,?\s*(?:and|or|&)\s+|\s*,\s*|\s*/\s*")
_OTHER_FOOD = re.compile(
    r"\s*((?!(?:i|we|it|that|so|my|but|not|no|the|this|because|which|if|when|who|please|thanks|even|ever|anything)\b)[a-z-]{3,}(?:\s[a-z-]{3,})?)"
    r"(?=,?\s*(?:and|or|&)\s+\w+\s*(?:[,.!;)]|$)|,\s*\w+,?\s+(?:and|or)\s|\s*(?:[.!;)]|$))"
)
"""A food of any name that stands in a list with one that is known."""


def food_ru(*cases: str) -> Take:
    """Foods of an enumeration in Russian."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        for name, a, b in phrase_list(sentence.text[:stop], start, "ru", cases, 3, 5):
            if not _FOOD_RU.match(sentence.low, a):
                return
            yield name, a, b

    return take


def foods_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """Foods of an enumeration in English, as what is not eaten: a known one, and others in a row
    with it."""
    at = start
    named = _LISTED.match(sentence.low, at, stop)
    while named is not None:
        yield f"no {named[1]}", named.start(1), named.end(1)
        joint = _JOINT.match(sentence.low, named.end(), stop)
        if joint is None:
            return
        at = joint.end()
        named = _LISTED.match(sentence.low, at, stop) or _OTHER_FOOD.match(sentence.low, at, stop)


def without(inner: Take) -> Take:
    """Foods as what is not eaten ("без сахара")."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        for value, a, b in inner(sentence, scene, start, stop):
            yield without_ru(str(value)), a, b

    return take
