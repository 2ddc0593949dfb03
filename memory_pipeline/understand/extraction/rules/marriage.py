"""Rules for `marital_status`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.persons import Person
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import reading

RU_MARITAL = Gated(
    r"\b(?:(?P<not>не\s+)?(?P<word>замужем|женат[аы]?|разведен[аы]?|холост(?:ой)?|холостяк|в разводе|вдова|вдовец|помолвлен[аы]?)"
    r"|(?P<wed>расписались|поженились|обвенчались|повенчались|женаты официально|сыграли (?:вчера |сегодня )?свадьбу|вышла (?:вчера |сегодня |наконец |таки )*замуж|вышла замуж|выхожу замуж|выходит замуж|женился|женюсь|сыграли свадьбу)|(?P<split>развели\s+(?:нас|сегодня|вчера|официально|в\s+(?:загсе|суде))|нас\s+(?:[а-я]+\s+)?развели|развелись|развелся|развелась|развод оформили|оформили развод|разводимся|развожусь))\b"
)
EN_MARITAL = Gated(
    r"\b(?:(?P<am>(?:i'm|i am|im|we're|we are|he's|she's|is|are|officially|now|filling the form:|status:|still|happily|been)\s+(?:\w+\s+){0,2}?)(?P<not>not\s+)?(?P<word>married|single|divorced|widowed|engaged|separated)(?!\s+(?:mom|dad|parent|out|to the|by))"
    r"|(?P<wed>(?:we|i)\s+(?:just\s+|finally\s+)?(?:got|tied the)\s+(?:married|hitched|knot)|(?:got|getting) married|tied the knot)|(?P<split>(?:got|getting) divorced|divorce (?:is|was|came|got) (?:final\w*|through)|divorce is official)"
    r"|(?P<engaged>got engaged|said yes to))\b"
)


def _married(speaker: str) -> str:
    """ "Married" in the speaker's gender, as far as the name tells it."""
    name = reading(speaker.split()[0], "Name", "sing", cases=("nomn",))
    gender = str(name.tag.gender) if name is not None else ""
    return {"femn": "замужем", "masc": "женат"}.get(gender, "в браке")


def marital_ru(sentence: Sentence, everyone: list[Person], scene: Scene) -> Iterator[Found]:
    """Being married, single, divorced."""
    low = sentence.low
    for found in RU_MARITAL.finditer(low):
        if found["word"]:
            word = {
                "женаты": "в браке",
                "холостяк": "холост",
                "холостой": "холост",
                "разведены": "в разводе",
            }.get(found["word"], found["word"])
            if found["not"] and word.startswith("в "):
                continue
            value = f"не {word}" if found["not"] else word
            before = low[: found.start()].rstrip(" ,")
            subjects = [p for p in everyone if p.end <= found.start() + 1 and "nomn" in p.cases]
            if not subjects and not re.search(
                r"(?:^|я|сейчас|теперь|официально|снова|уже|пока|:)$", before
            ):
                continue
            mode = (
                Mode.change
                if re.search(r"\b(?:теперь|официально|сегодня)\b", before)
                else Mode.state
            )
            yield Found(
                "marital_status",
                value,
                found.start(),
                found.end(),
                mode,
                Who.open,
                confidence=0.85,
                dated=mode is Mode.change,
            )
        elif found["wed"]:
            if re.search(r"\bне\s+$", low[: found.start()]):
                continue
            value = (
                "замужем"
                if "замуж" in found["wed"]
                else "женат"
                if found["wed"].startswith("жен")
                else _married(scene.speaker)
            )
            yield Found(
                "marital_status",
                value,
                found.start(),
                found.end(),
                Mode.change,
                Who.open,
                confidence=0.8,
            )
        else:
            value = (
                "разведена"
                if found["split"].endswith("лась")
                else "разведён"
                if found["split"].endswith("лся")
                else "в разводе"
            )
            if found["split"] in ("разводимся", "развожусь"):
                continue
            yield Found(
                "marital_status",
                value,
                found.start(),
                found.end(),
                Mode.change,
                Who.open,
                confidence=0.8,
            )


_WED_TO_WORK = re.compile(r"\s+to\s+(?:my|the|his|her|their)\s+(?:job|work|career|phone|sofa|desk|game|craft|sport)\b")  # fmt: skip


def marital_en(sentence: Sentence) -> Iterator[Found]:
    """Being married, single, divorced."""
    low = sentence.low
    for found in EN_MARITAL.finditer(low):
        if re.search(
            r"(?:\bnot|n't|\bnever|\bwhen (?:i|we)|\bbefore (?:i|we)|\bgetting)\s+(?:\w+\s+)?$",
            low[: found.start()],
        ):
            continue
        if _WED_TO_WORK.match(low, found.end()):
            continue
        if found["word"]:
            if found["not"]:
                continue
            mode = (
                Mode.change
                if re.search(r"\b(?:officially|now|as of|today)\b", low[: found.end()])
                else Mode.state
            )
            who = (
                Who.first
                if re.match(r"(?:i'm|i am|im|we're|we are)", found["am"])
                else Who.third
                if re.match(r"(?:he's|she's|is|are)", found["am"])
                else Who.open
            )
            yield Found(
                "marital_status",
                found["word"],
                found.start(),
                found.end(),
                mode,
                who,
                verb=found.start(),
                confidence=0.85,
                dated=mode is Mode.change,
            )
        elif found["wed"]:
            if "getting" in found["wed"]:
                continue
            yield Found(
                "marital_status",
                "married",
                found.start(),
                found.end(),
                Mode.change,
                Who.open,
                confidence=0.85,
            )
        elif found["split"]:
            if "getting" in found["split"]:
                continue
            yield Found(
                "marital_status",
                "divorced",
                found.start(),
                found.end(),
                Mode.change,
                Who.open,
                confidence=0.85,
            )
        else:
            yield Found(
                "marital_status",
                "engaged",
                found.start(),
                found.end(),
                Mode.change,
                Who.open,
                confidence=0.7,
            )
