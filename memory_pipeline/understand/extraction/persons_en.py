"""The persons of an English sentence."""

import re
from collections.abc import Sequence
from functools import lru_cache

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.calendar_words import CALENDAR_EN
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.lexicon import LANGUAGES_EN
from memory_pipeline.understand.extraction.people import (
    is_given_name,
    is_other_person,
    relative_kind,
)
from memory_pipeline.understand.extraction.persons import Person
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.extraction.sentences import Sentence, lower
from memory_pipeline.understand.gated import Gated

_EN_FIRST = frozenset(
    {"i", "we", "i'm", "we're", "i've", "we've", "i'll", "we'll", "i'd", "im", "ive"}
)
_EN_THIRD = frozenset(
    {"he", "she", "they", "he's", "she's", "they're", "they've", "he'll", "she'll", "they'll"}
)
_EN_NO_NAME = CALENDAR_EN | frozenset(
    [
        "everyone",
        "everybody",
        "nobody",
        "noone",
        "someone",
        "somebody",
        "anybody",
        "anyone",
        "everything",
        "nothing",
        "something",
        "who",
        "what",
        "this",
        "that",
        "these",
        "those",
        "it",
        "its",
        "it's",
        "there",
        "here",
        "today",
        "tomorrow",
        "yesterday",
        "now",
        "then",
        "so",
        "and",
        "but",
        "or",
        "also",
        "just",
        "still",
        "please",
        "thanks",
        "thank",
        "hi",
        "hello",
        "hey",
        "ok",
        "okay",
        "yes",
        "no",
        "yeah",
        "yep",
        "nope",
        "well",
        "um",
        "uh",
        "because",
        "since",
        "when",
        "while",
        "if",
        "the",
        "a",
        "an",
        "my",
        "our",
        "your",
        "his",
        "her",
        "their",
        "some",
        "all",
        "both",
        "most",
        "each",
        "work",
        "home",
        "life",
        "god",
        "lol",
        "omg",
        "wow",
        "oh",
        "sorry",
        "sure",
        "great",
        "good",
        "nice",
        "currently",
        "recently",
        "finally",
        "actually",
        "honestly",
        "basically",
        "apparently",
        "looks",
        "sounds",
        "turns",
        "company",
        "office",
        "team",
        "people",
        "everyone's",
        "mine",
        "not",
        "never",
        "always",
        "maybe",
        "perhaps",
        "after",
        "before",
        "for",
        "from",
        "with",
        "at",
        "in",
        "on",
        "by",
        "to",
        "of",
        "as",
        "is",
        "are",
        "was",
        "were",
        "been",
        "update",
        "fyi",
        "btw",
        "note",
        "reminder",
        "correction",
        "client",
        "today's",
        "one",
        "two",
        "three",
        "deadline",
        "budget",
        "you",
        "your",
        "yours",
        "u",
        "dob",
        "me",
        "us",
        "him",
        "them",
        "let",
        "can",
        "could",
        "would",
        "should",
        "do",
        "does",
        "did",
        "have",
        "has",
        "will",
        "born",
        "age",
        "address",
        "email",
        "phone",
        "call",
        "text",
    ]
)
_EN_VERB = re.compile(
    r"\s+(?:still |now |currently |just |already |also |really |only |recently |finally |actually |never |always )*"
    r"(?:is|isn't|was|has|hasn't|lives?|lived|works?|worked|moved|moves|moving|loves?|likes?|hates?|prefers?|"
    r"wants?|takes|can't|cannot|can|needs?|speaks|owns|uses|used|got|started|quit|left|joined|studies|studied|"
    r"turned|turns|plans|says|said|told|will|won't|doesn't|does|did|eats|bought|adopted|graduated|stays|stayed|became|"
    r"avoids?|finished|finishes|tore|broke|sprained|fractured|plays|trains|trained|teaches|drives|rides|adores|loathes|detests|despises|enjoys|enjoyed|dreams|hopes|intends|decided|retired|resigned|"
    r"sold|inherited|owes|knows|knew|learned|learnt|reads|writes|drinks|smokes|goes|went|comes|came|runs|ran|keeps|kept|gave|gets|had|has|stopped|switched|swears|relies|suffers|lost|proposed|"
    r"popped|married|divorced|relocated|transferred|joined|landed|earned|passed|failed|completed|holds|signed|booked|enrolled|applied|accepted|celebrated|caught|tested|recovered|developed|swapped|cooks|bakes|sings|paints|codes|designs|manages|leads|heads|nurses|farms|volunteers|freelances|speaks|understands|can't|couldn't|would|should|must|may)\b"
)
_EN_CONTRACTED = re.compile(
    r"[’']s\s+(?:a|an|the|in|at|on|from|with|not|been|allergic|vegan|vegetarian|\w+ing|\w+ed|now|still|just|also|already|only|really|so|back|married|single|stuck|got|too|\d+|my|our)\b"
)


_CALLED = re.compile(
    r"\b(?:flatmate|room-?mate|housemate|boss|manager|neighbou?r|friend|mate|colleague|brother|sister|son|daughter|husband|wife|boyfriend|girlfriend|partner|cousin|uncle|aunt|nephew|niece|landlord|landlady|teacher|coach|boy|girl)(?:'s|\s+is|,)?\s+(?:called|named)\s+$"
)
_TONGUES = frozenset(LANGUAGES_EN)
_MET = re.compile(
    r"\b(?:(?:ran|run|running|bump|bumped|bumping)\s+into|(?:spoke|spoken|talked|talking|chatted|chatting|wrote|caught up|lunch|coffee|drinks|dinner)\s+(?:to|with)|(?:heard|letter|text|email|message|news|call)\s+from)\s+$"
)
_IS_MY = Gated(
    r"(?P<name>[A-Z][\w-]+(?:\s[A-Z][\w-]+)?)\s+is\s+(?:my|our)\s+(?:(?:older|younger|little|big|twin)\s+)?(?P<kind>[\w-]+)"
)
_COLLECTIVE_EN = frozenset(
    {
        "parents",
        "folks",
        "kids",
        "friends",
        "neighbors",
        "neighbours",
        "guys",
        "people",
        "in-laws",
        "grandparents",
        "everyone",
        "everybody",
        "someone",
        "nobody",
        "who",
    }
)


@lru_cache(maxsize=65536)
def _names_nobody(word: str) -> bool:
    """Whether a word says nothing of a person in any sentence: most do not."""
    plain = lower(word)
    base = plain.removesuffix("'s")
    if word[0].isupper() and base not in _EN_NO_NAME and plain not in _EN_NO_NAME:
        return False
    return not (
        plain in _EN_FIRST
        or plain in _EN_THIRD
        or plain in _COLLECTIVE_EN
        or relative_kind(base)
        or is_other_person(base)
    )


def persons_en(sentence: Sentence, scene: Scene) -> list[Person]:
    """The persons of an English sentence in order, pronouns among them."""
    text, low = sentence.text, sentence.low
    tokens = sentence.tokens
    for named in _IS_MY.finditer(text):
        kind = relative_kind(named["kind"])
        if kind:
            scene.people.learn(named["name"])
            scene.people.by_relation[(fold(scene.speaker), kind)] = named["name"]
    out: list[Person] = []
    i = 0
    while i < len(tokens):
        word, start, end = tokens[i]
        if _names_nobody(word):
            i += 1
            continue
        plain = low[start:end]
        base = plain.removesuffix("'s")
        possessive = (
            frozenset({"gent"})
            if base != plain and not _EN_CONTRACTED.match(low, end - 2)
            else frozenset({"nomn"})
        )
        previous = low[tokens[i - 1][1] : tokens[i - 1][2]] if i else ""
        if plain in _EN_FIRST:
            me = SubjectRef(name=scene.speaker, is_speaker=True)
            out.append(Person(start, end, me, frozenset({"nomn"}), first=True))
        elif plain in _EN_THIRD:
            out.append(Person(start, end, None, frozenset({"nomn"}), pronoun=True))
        elif plain in _COLLECTIVE_EN and previous in {
            "to",
            "for",
            "with",
            "from",
            "of",
            "by",
            "at",
        }:
            pass
        elif plain in _COLLECTIVE_EN:
            out.append(Person(start, end, None, frozenset({"nomn"})))
        elif (kind := relative_kind(base)) and base != "ma":
            stranger = previous in {
                "your",
                "his",
                "her",
                "their",
                "a",
                "the",
                "every",
                "any",
                "no",
                "whose",
            } or previous.endswith("'s")
            bare = previous not in {
                "my",
                "our",
                "younger",
                "older",
                "elder",
                "little",
                "big",
                "twin",
                "baby",
                "youngest",
                "oldest",
                "eldest",
                "dear",
                "late",
                "half",
                "step",
                "favourite",
                "favorite",
                "middle",
                "lovely",
            }
            if bare and kind not in {
                "mother",
                "father",
                "grandmother",
                "grandfather",
                "brother",
                "sister",
                "husband",
                "wife",
            }:
                stranger = True
            if (
                bare
                and not stranger
                and not (start == 0 or previous in {"and", "but", "so", "today", "yesterday", ""})
            ):
                stranger = True
            name, j = _english_name(tokens, i + 1, text, end)
            if name is not None and possessive == frozenset({"gent"}):
                name, j = None, i + 1
            ref = None if stranger else scene.people.relative_of(scene.speaker, kind, "en", name)
            if name is not None:
                scene.people.learn(name)
            stop = tokens[j - 1][2]
            cases = possessive
            if (
                name is not None
                and re.match(r"['’]s\b", text[stop - 2 : stop + 1])
                and not _EN_CONTRACTED.match(low, stop - 2)
            ):
                cases = frozenset({"gent"})
            out.append(Person(start, stop, ref, cases, kind=None if stranger else kind, name=name))
            i = j
            continue
        elif is_other_person(base) and previous in {"my", "our"}:
            name, j = _english_name(tokens, i + 1, text, end)
            if name is not None:
                scene.people.learn(name)
            ref = scene.people.resolve(name) if name else None
            out.append(Person(start, tokens[j - 1][2], ref, possessive, name=name))
            i = j
            continue
        elif word[0].isupper() and base not in _EN_NO_NAME and plain not in _EN_NO_NAME:
            person, j = _english_named(tokens, i, text, low, scene)
            if person is not None:
                out.append(person)
                i = j
                continue
        i += 1
    return out


def _english_name(
    tokens: Sequence[tuple[str, int, int]], i: int, text: str, end: int
) -> tuple[str | None, int]:
    """A capitalised name of up to two words from token `i` on, right after `end`."""
    names: list[str] = []
    j = i
    while j < len(tokens) and len(names) < 2:
        word, start, stop = tokens[j]
        gap = text[end:start]
        appositive = (
            gap == ", "
            and not names
            and (is_given_name(re.sub(r"['’]s$", "", word)) or text[stop : stop + 1] in (",", ")"))
        )
        if (
            not word[0].isupper()
            or (gap != " " and not appositive)
            or fold(word) in _EN_NO_NAME | _EN_FIRST
        ):
            break
        names.append(re.sub(r"['’]s$", "", word))
        end = stop
        j += 1
        if names[-1] != word:
            break
    return (" ".join(names), j) if names else (None, i)


def _english_named(
    tokens: Sequence[tuple[str, int, int]], i: int, text: str, low: str, scene: Scene
) -> tuple[Person | None, int]:
    word, start, end = tokens[i]
    previous = low[tokens[i - 1][1] : tokens[i - 1][2]] if i else ""
    if previous in {"called", "named", "to", "from"} and (
        _CALLED.search(low, 0, start) or _MET.search(low, 0, start)
    ):
        pass
    elif previous in {
        "in",
        "at",
        "to",
        "from",
        "near",
        "of",
        "on",
        "around",
        "the",
        "a",
        "an",
        "for",
        "called",
        "named",
        "via",
        "using",
    }:
        return None, i
    base = re.sub(r"['’]s$", "", word)
    full, j = _english_name(tokens, i, text, start - 1 if start else 0)
    if previous == "into" and (
        full is None or not (" " in full or is_given_name(full) or _MET.search(low, 0, start))
    ):
        return None, i
    if start == 0:
        names = [base]
        j = 1
        if base == word and len(tokens) > 1 and text[end : tokens[1][1]] == " ":
            following = re.sub(r"['’]s$", "", tokens[1][0])
            if tokens[1][0][0].isupper() and fold(tokens[1][0]) not in _EN_NO_NAME | _EN_FIRST:
                names.append(following)
                j = 2
        full = " ".join(names)
    if full is None or full.lower() in _TONGUES:
        return None, i
    stop = tokens[j - 1][2]
    contracted = low[stop - 2 : stop] == "'s" and _EN_CONTRACTED.match(low, stop - 2) is not None
    possessive = low[stop - 2 : stop] == "'s" and not contracted
    acts = contracted or _EN_VERB.match(low, stop) is not None
    given = is_given_name(full.split()[0])
    known = any(n == full for n in scene.people.named) or any(
        fold(s) == fold(full) for s in scene.people.speakers
    )
    if not (acts or given or known or previous in ("into", "called", "named", "to", "from")):
        return None, i
    ref = scene.people.resolve(full)
    if not ref.is_speaker and not possessive:
        scene.people.learn(ref.name)
    cases = frozenset({"gent"}) if possessive else frozenset({"nomn"})
    return Person(
        start, stop, ref, cases, name=ref.name, first=ref.is_speaker and ref.name == scene.speaker
    ), j
