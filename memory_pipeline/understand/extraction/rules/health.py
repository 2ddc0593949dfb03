"""What a sentence says of health."""

from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Scene
from memory_pipeline.understand.extraction.rules.health_en import find_en
from memory_pipeline.understand.extraction.rules.health_ru import find_ru
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import AnyOf

_TRIGGER = AnyOf(
    r"аллерг|непереносим|ем мясо|ест мясо|перестал|бросил|слез|не ем\b|не ест|не едим|не пью|не пьет|веган|вегетариан|халяль|кошер|безглютен|постн|\bпост\b|пощусь|диет|кето|"
    r"принима|допи|вместо|пью\b|пьет|таблет|сижу на|назнач|выписа|прописа|посадил|перев[её]л|отмен|диабет|деменци|колю|форсиг|с \w+ на |астм|гиперт|целиак|эпилеп|мигрен|диагн|болею|болеет|беремен|рак\b|"
    r"инсульт|инфаркт|давлени|гастрит|язв|артрит|артроз|депресс|сдвг|анеми|варфарин|на инсулине|без глютена|без сахара|без лактозы|пескетар|"
    r"allerg|intoleran|vegan|vegetarian|halal|kosher|gluten|pescatarian|keto|dairy|drink|avoid|don't eat|do not eat|doesn't eat|eat meat|fasting|diet|"
    r"take\b|taking|switch|takes|on \w+|prescri|medicat|meds|diabet|asthma|epilep|migraine|diagnos|celiac|coeliac|pregnan|cancer|arthrit|adhd|"
    r"deaf|blind|blood pressure|hypertens|anemi|stroke|came off|coming off|dyslexi|autis|anxiety|depress|lupus|crohn|ibs\b|insulin|pacemaker|eczema|put (?:me|him|her) on"
)


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """Allergies, diets, medicines and conditions of the sentence."""
    if not _TRIGGER.is_in(sentence.low):
        return
    if sentence.lang == "ru":
        yield from find_ru(sentence, scene)
    else:
        yield from find_en(sentence)
