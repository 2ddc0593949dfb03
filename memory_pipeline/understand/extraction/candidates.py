"""Facts that fit no predicate: attributes that a speaker states of herself in plain words."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.phrases import sentence_case
from memory_pipeline.understand.extraction.sentences import Sentence

_EN = {
    r"blood (?:type|group)": "blood_type", r"(?:shoe|clothing|dress|shirt|ring|jacket|hat) size": "size",
    r"(?:zodiac|star) sign|sun sign": "zodiac_sign", r"pronouns": "pronouns", r"nickname|callsign|handle": "nickname",
    r"height": "height", r"weight": "weight", r"time ?zone": "time_zone", r"religion|faith": "religion",
    r"citizenship|nationality": "citizenship", r"hometown|birthplace": "hometown", r"eye colou?r": "eye_color",
    r"hair colou?r": "hair_color", r"license plate|plate number": "license_plate", r"jersey number": "jersey_number",
}  # fmt: skip
_RU = {
    r"группа крови": "blood_type", r"размер (?:обуви|одежды|ноги|кольца)": "size", r"знак зодиака": "zodiac_sign",
    r"местоимения": "pronouns", r"прозвище|позывной|никнейм|ник": "nickname", r"рост": "height", r"вес": "weight",
    r"часовой пояс": "time_zone", r"вероисповедание|религия": "religion", r"гражданство|национальность": "citizenship",
    r"родной город|место рождения": "hometown", r"цвет глаз": "eye_color", r"цвет волос": "hair_color",
    r"номер машины|госномер": "license_plate",
}  # fmt: skip
_FRAME_EN = re.compile(
    rf"^(?:and\s+|also,?\s+|btw,?\s+)?my\s+(?P<what>{'|'.join(_EN)})\s+(?:is|are)\s+(?P<value>[^,.;!?()]{{1,40}})"
)
_FRAME_RU = re.compile(
    rf"^(?:и\s+|кстати,?\s+)?(?:мо[йяеи]\s+|у меня\s+)(?P<what>{'|'.join(_RU)})\s*(?:[-—–:]\s*|\s)(?P<value>[^,.;!?()]{{1,40}})"
)
_NO_VALUE = re.compile(
    r"(?:not|a|an|the|my|so|very|too|changing|going|better|worse|important|не|очень|слишком|такой|такая|меняется|растет|упал|вырос|хороший|плохой)\b"
)
_NAMES = tuple((re.compile(pattern), name) for pattern, name in (*_EN.items(), *_RU.items()))


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:  # noqa: ARG001 - a rule's signature
    """An attribute without a predicate, as a candidate: whole sentences of the plainest form."""
    if not sentence.low.startswith(_LEADS):
        return
    found = (_FRAME_RU if sentence.lang == "ru" else _FRAME_EN).match(sentence.low)
    if found is None or _NO_VALUE.match(found["value"].strip()):
        return
    name = next(name for pattern, name in _NAMES if pattern.fullmatch(found["what"]))
    yield Found(
        name,
        sentence_case(sentence.text[found.start("value") : found.end("value")]),
        found.start(),
        found.end(),
        Mode.state,
        Who.first,
        confidence=0.6,
        dated=False,
        candidate=True,
    )


_LEADS = ("my ", "and my", "also", "btw", "мой ", "моя ", "мое ", "мои ", "у меня", "и ", "кстати")
