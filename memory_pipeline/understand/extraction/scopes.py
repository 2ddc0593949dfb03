"""Where an object ends: at the word that begins a new clause, not at one inside a name.

"Arsenal and I live in Leeds" is Arsenal and a clause; "Tom and Jerry" is one name.
"""

import re

from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import is_russian, parses
from memory_pipeline.understand.word_blocks import words

_JOINT = Gated(
    r"\s+[—–-]+\s+|\s*[,:]\s+|\s+(?P<and>and|or|и|или|да)\s+|\s+(?P<but>but|а|но|зато|однако)\s+"
    r"|\s+(?P<why>because|although|though|so|whereas|while|потому\s+что|так\s+что|хотя|поэтому|ведь)\s+"
)
_SUBJECTS = re.compile(
    r"(?:i|i'[a-z]+|we|we'[a-z]+|he|he'[a-z]+|she|she'[a-z]+|they|they'[a-z]+|you|you'[a-z]+|it|it's|there|that's|this|"
    r"я|мы|ты|вы|он|она|оно|они|мне|нам|меня|нас|у\s+(?:меня|нас|него|нее|них))\b"
)
_VERBS_EN = frozenset(
    words(
        "am is are was were has have had do does did don't doesn't didn't can can't cannot could will won't would should must "
        "lives lived used works worked moved speaks eats drinks wants needs knows uses goes comes plays supports studied studies grew owns bought sold"
    )
)
_VERBS_OR_NOUNS_EN = frozenset(
    words(
        "live work love like hate prefer play go come want need know use speak eat drink support study own watch read cook run drive "
        "never always currently also still usually just"
    )
)
"""Words that are verbs only where something follows them ("and love football", "peace and love")."""
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_REACH = 5


def object_end(text: str, low: str, start: int, end: int) -> int:
    """Where the object that begins at `start` ends, at most at `end`."""
    for joint in _JOINT.finditer(low[:end], start):
        if joint.start() > start and _begins_clause(text, low, joint, end):
            return joint.start()
    return end


def object_start(text: str, low: str, start: int, end: int) -> int:
    """Where the object that ends at `end` begins, at least at `start`: behind another clause."""
    begin = start
    for joint in _JOINT.finditer(low[:end], start):
        is_clause = _SUBJECTS.match(low, begin) or _has_verb(text, begin, joint.start())
        if begin < joint.start() and joint.end() < end and is_clause:
            begin = joint.end()
    return begin


def _begins_clause(text: str, low: str, joint: re.Match[str], end: int) -> bool:
    at = joint.end()
    if _SUBJECTS.match(low, at):
        return True
    first = _WORD.match(text, at)
    if first is not None and first[0][0].isupper() and not (joint["but"] or joint["why"]):
        # a name goes on in capitals; a sentence about somebody has its verb close by
        return _has_verb(text, at, min(end, at + 40), reach=2)
    if joint["but"] or joint["why"]:
        return first is None or not first[0][0].isupper()
    return _has_verb(text, at, end)


def _has_verb(text: str, start: int, end: int, reach: int = _REACH) -> bool:
    """Whether one of the next words is a finite verb."""
    following = list(_WORD.finditer(text, start, end))
    for n, found in enumerate(following[:reach]):
        word = found[0]
        if word[0].isupper() and n:
            continue
        low = word.lower().replace("’", "'")
        if is_russian(word):
            if is_finite(low):
                return True
        elif low in _VERBS_EN or (low in _VERBS_OR_NOUNS_EN and not n and len(following) > 1):
            return True
    return False


def is_finite(word: str) -> bool:
    """Whether a Russian word is most likely a finite verb."""
    return str(parses(word)[0].tag.POS) == "VERB"
