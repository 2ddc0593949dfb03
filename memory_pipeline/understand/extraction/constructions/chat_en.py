"""English constructions of chat: the subject left out, predications in a row, harm and bans."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.duties import barred_en, prohibition_en
from memory_pipeline.understand.extraction.constructions.engine import Piece, Table, construction
from memory_pipeline.understand.extraction.constructions.foods import FOOD_EN, foods_en
from memory_pipeline.understand.extraction.constructions.possessions import owned_en
from memory_pipeline.understand.extraction.constructions.ru_work import due
from memory_pipeline.understand.extraction.constructions.takers import (
    WORK_THINGS,
    const,
    drug,
    formed,
    number,
    rest,
    said,
    tool,
)
from memory_pipeline.understand.extraction.constructions.takers_en import (
    firm_en,
    infinitive_en,
    job_en,
    subject_en,
    things_en,
)
from memory_pipeline.understand.extraction.frames import Mode, Scene, Who
from memory_pipeline.understand.extraction.phrases import phrase_list
from memory_pipeline.understand.extraction.sentences import Sentence

_START = r"(?:^|[.!;:—–(]\s*|,\s*(?:but\s+|and\s+|so\s+)?)"
_HARM = (
    r"(?:(?:is|are)\s+(?:the\s+(?:one|ones|thing)\s+(?:that\s+|which\s+)?)|that\s+|which\s+)?(?:really\s+|always\s+|literally\s+|usually\s+)*(?:"
    r"(?:puts?|lands?|landed|put|sends?|sent)\s+me\s+(?:straight\s+|right\s+)?(?:in|into|to)\s+(?:the\s+)?(?:hospital|er|a&e|emergency|icu|ambulance)"
    r"|(?:gives?|gave)\s+me\s+(?:\w+\s+)?(?:hives|a rash|rashes|anaphyla\w+|swelling)"
    r"|makes?\s+(?:my\s+(?:throat|face|tongue|lips|eyes|mouth)\s+(?:close\w*|swell\w*|itch\w*|tingle\w*|puff\w*|balloon\w*)|me\s+(?:break out|swell\w*|stop breathing))"
    r"|(?:closes?|swells?)\s+(?:up\s+)?my\s+(?:throat|face|lips))"
)
_DATE_EN = r"(?:the\s+)?(?:\d{1,2}|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|tomorrow|next|end of)"
_DIETS = r"keto|paleo|whole30|carnivore|low[- ]carb|low[- ]fodmap|the dash diet|dash diet|mediterranean diet|weight watchers|gluten[- ]free|dairy[- ]free|plant[- ]based|intermittent fasting|a liquid diet"


def _acts_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """What one can do, a gerund or a noun each ("gilding and paper conservation")."""
    for name, a, b in phrase_list(sentence.text[:stop], start, "en", max_words=3, limit=4):
        if name.lower().split()[0] in {"it", "that", "this", "better", "more", "well", "anything", "things", "stuff", "you", "mornings", "weekends"}:  # fmt: skip
            return
        yield name, a, b


def _taste_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """A liked thing of a sentence without a subject; an exclamation praises the other's."""
    if sentence.text.rstrip().endswith("!") or not len(sentence.low[start:stop].split()) + 1 > 1:
        return
    yield from things_en(3, 2)(sentence, scene, start, stop)


_AGENT = r"(?:[a-z-]+\s){0,2}?[a-z]{3,}(?:er|or|ist|ian|ant|eer|ess|man|woman)"
_BE = r"(?:(?P<first>i'm|i am|im)|(?P<third>(?:he|she)(?:'s|\s+is)|[a-z]+(?:'s|\s+is)))\s+(?:now\s+|still\s+|currently\s+)?"


def _job_at_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """One who does something, where a firm's name follows ("a claims adjuster at Tallgrass")."""
    if re.match(r"\s+(?:at|for|with)\s+(?:the\s+)?[A-Z]", sentence.text[stop:]):
        yield sentence.text[start:stop], start, stop


CHAT_EN = Table(
    [
        construction(
            "marital_status", "divorced married engaged widowed separated", r"^(?:been\s+|happily\s+|newly\s+|still\s+|recently\s+)*(?P<o>divorced|married|engaged|widowed|separated)(?=\s+since|\s*,\s*(?:no|one|two|three|\d|with)\b|\s+(?:with|and)\s+(?:no|one|two|three|\d)\b)", said(), Mode.state, Who.first, dated=True, confidence=0.75),
        construction(
            "education", "got did have finished earned hold holds", r"(?:^|\b(?P<first>i|i've|i have)\s+|[.,;]\s*)(?:just\s+|also\s+)?(?:got|did|have|finished|earned|hold|completed)\s+(?:an?|my)\s+(?P<o>(?:msc|ma|phd|ba|bsc|mba|mfa|llb|md|master's|bachelor's|doctorate|diploma|degree)\s+in\s+[\w -]{3,30}?\s+(?:from|at)\s+[a-z][\w' -]{2,30}?)(?=\s*(?:[,.;!]|$|\b(?:in|and|last|back)\b))", said(), Mode.change, Who.first, confidence=0.75),
        construction(
            "job_title", "at for with", rf"\b{_BE}an?\s+(?P<o>{_AGENT})(?=\s+(?:at|for|with)\s)", _job_at_en, dated=False, confidence=0.75),
        construction(
            "employer", "at for with", rf"\b{_BE}an?\s+{_AGENT}\s+(?:at|for|with)\s+", firm_en, dated=False, confidence=0.75),
        construction(
            "allergy", "off limits", rf"{_START}(?:heads up,?\s+|fyi,?\s+)?(?P<o>(?:[a-z-]+\s){{0,1}}[a-z-]+)\s+(?:is|are)\s+(?:strictly\s+|completely\s+)?off[- ]limits\b(?=[^.!?]*\b(?:epi-?pen|allerg|hospital|hives|swell|anaphyl))", subject_en(3), who=Who.first, dated=False),
        construction(
            "allergy", "break swell stop hives anaphylactic hospital", rf"{_START}(?:i\s+)?(?:can't|cannot)\s+(?:do|have|eat|touch|wear|go near)\s+(?P<o>[a-z-]+(?:\s[a-z-]+)?)\s*[,—–-]+\s*(?:or\s+)?i\s+(?:break out|swell|stop breathing|end up in (?:the\s+)?(?:hospital|er)|go into anaphyla|get hives)", subject_en(2), who=Who.first, dated=False, negatable=False),
        construction(
            "job_title", "teach", r"\b(?:i'm|i am|im|live|work|i)\b[^.!?]{2,40}?\band\s+teach\s+(?P<o>[a-z -]{3,30}?)(?=\s+(?:at|in|to|for)\b|[,.!?;]|$)", formed(subject_en(3), "{} teacher"), who=Who.first, dated=False),
        construction(
            "job_title", "joined", r"\bjoined\s+[^.!?,]{2,45}?\s+as\s+(?:an?\s+|the\s+|their\s+(?:new\s+)?)", job_en, Mode.change),
        construction(
            "plan", "planning hoping", r"(?:^|[.!;]\s*)(?:still\s+|also\s+|currently\s+)?planning\s+(?:to|on)\s+", infinitive_en, who=Who.first, dated=False, confidence=0.7),
        construction(
            "diet", "off limits", rf"{_START}(?P<o>{FOOD_EN}(?:\s*(?:,|and|&)\s*{FOOD_EN})*)\s+(?:is|are)\s+(?:strictly\s+|completely\s+)?off[- ]limits\b(?![^.!?]*\b(?:epi-?pen|allerg|hospital|hives|swell|anaphyl))", foods_en, who=Who.first, dated=False),
        construction(
            "employer", "living full-time full part-time day", r"\b(?P<first>i)\s+[a-z]+\s+(?:[\w-]+\s+){0,3}?(?:at|for)\s+(?=[\w&' -]{2,40}?\s+(?:for a living|full[- ]time|part[- ]time|by day|as my day job))", firm_en, dated=False),
        construction(
            "job_title", "drives", r"\b(?P<third>drives)\s+(?:an?\s+|the\s+)?(?P<o>truck|cab|bus|taxi|semi|forklift|train|tram)\b(?!\s+(?:me|us|people)\b)", formed(said(), "{} driver"), dated=False, confidence=0.65),
        construction(
            "preference", "give me over beats any day", rf"{_START}give me\s+(?:an?\s+|the\s+)?(?P<o>[\w' -]{{3,30}}?)\s+(?:over\s+[\w' -]{{3,30}}?\s+)?any (?:day|time)\b", subject_en(4), who=Who.first, dated=False),
        construction(
            "preference", "beats beat", r"(?:^|[.!;]\s*)(?:for me,?\s+)?(?:an?\s+|the\s+)?(?P<o>[a-z][\w' -]{2,25}?)\s+(?:beats?|trumps?)\s+(?:an?\s+|the\s+)?[\w' -]{2,25}?\s+(?:any day|every time|hands down|for me)\b", subject_en(4), who=Who.first, dated=False),
        construction(
            "dislike", "hell nemesis bane worst crawl wall nuts without", rf"{_START}(?P<o>[a-z][\w' -]{{2,30}}?)\s+(?:(?:is|are)\s+(?:my\s+(?:personal|own|idea of)\s+hell|my\s+nemesis|the bane of my (?:life|existence)|my (?:biggest\s+)?pet peeve)|makes?\s+my\s+skin\s+crawl|drives?\s+me\s+(?:up the wall|nuts|insane|bonkers|round the bend))", subject_en(4), who=Who.first, dated=False),
        construction(
            "skill", "gotten got become decent good", r"\b(?P<first>i've|i have|i)\s+(?:gotten|got|become|grown)\s+(?:pretty\s+|really\s+|quite\s+|fairly\s+)?(?:decent|good|great|handy|skilled|solid|proficient)\s+(?:at|in|with)\s+", things_en(3, 3), dated=False),
        construction(
            "skill", "know way around", r"\b(?P<first>i)\s+know\s+my\s+way\s+around\s+(?:an?\s+|the\s+)?", things_en(3, 2), dated=False),
        construction(
            "tool", "writing doing drawing building editing", r"(?:^|[.!;]\s*|\b(?:i'm|we're|i am|we are)\s+)(?:now\s+)?(?:writing|doing|drawing|building|editing|tracking|keeping)\s+(?:everything|all\s+(?:my|our)\s+\w+|all of it)\s+(?:in|with|on)\s+", tool, who=Who.first, dated=False, confidence=0.75),
        construction(
            "goal", "what thing want", r"\b(?:what|all|the one thing|one thing)\s+(?P<first>i)\s+(?:really\s+|most\s+|truly\s+)*(?:want|hope for|am after)\s+(?:most\s+)?(?:(?:this (?:year|season)|in life|now|next year)\s+)?is\s+to\s+(?:finally\s+)?", infinitive_en, dated=False),
        construction(
            "plan", "off to", r"\b(?P<first>i'm|we're|i am|we are)\s+off\s+to\s+(?=(?:adopt|buy|see|build|visit|study|climb|hike|walk|cycle|volunteer|teach|paint|learn)\b)", infinitive_en, dated=False, confidence=0.7),
        construction(
            "requirement", "must mandatory essential", r"(?:^|[.!;]\s*)(?P<o>[a-z][\w' -]{3,45}?\s+(?:is|are)\s+(?:an?\s+(?:absolute\s+)?must|mandatory|essential|compulsory|non-?negotiable)(?:\s+(?:for|in|on|at)\s+[\w' -]{3,40}?)?)(?=\s*(?:[,.;!]|$))(?<!\bthis is a must)(?<!\bthat is a must)", said(), who=Who.first, dated=False, confidence=0.7),
        construction(
            "deadline", "goes go going ships sent", rf"\b(?:goes?|going|ships?|is sent|gets sent|is off)\s+to\s+[\w' -]{{3,40}}?\s+(?:on or before|by|no later than)\s+(?={_DATE_EN})", due, who=Who.first, dated=False),
        construction(
            "legal_constraint", "bound under signed subject", r"\b(?:i'm|i am|we're|we are|still)\s+(?:bound by|under|subject to)\s+(?:an?\s+|the\s+|my\s+)?(?P<o>(?:[\w-]+\s+)?(?:non-?solicit\w*|confidentiality agreement|gag order|gag clause|court order|injunction|travel ban|curfew|consent decree|embargo|exclusivity (?:deal|clause|agreement)))\b", said(), who=Who.first, confidence=0.85),
        construction(
            "allergy", "puts lands landed put sends sent gives gave makes make give close closes swells send land", rf"{_START}(?:\w+\s+list:\s*)?(?P<o>(?:[a-z-]+\s){{0,2}}?[a-z-]+)\s+{_HARM}", subject_en(3), who=Who.first, dated=False, confidence=0.75),
        construction(
            "allergy", "end ends ended stop stops", r"(?:\bif i (?:eat|touch|have)\s+|\bone bite of\s+)(?P<o>[a-z-]+(?:\s[a-z-]+)?)\s*,?\s+(?:and\s+)?i(?:'ll)?\s+(?:end up in|stop breathing|swell|break out|need (?:an|my) epi)", subject_en(2), who=Who.first, dated=False, confidence=0.7, ignores=frozenset({"hypothetical"})),
        construction(
            "diet", "on doing back", rf"(?:^|[.!;]\s*|\b(?P<first>i'm|i am|im|we're)\s+(?:now\s+|still\s+|back\s+|currently\s+)*)(?:back\s+|still\s+|now\s+|currently\s+)*(?:on|doing)\s+(?P<o>{_DIETS})\b", said({"the dash diet": "DASH diet"}), who=Who.first, dated=False),
        construction(
            "age", "turns turn turning", r"\b(?P<third>he|she|[a-z]+)\s+(?:turns|is turning|will be|'ll be)\s+(?P<o>\d{1,3})\b(?=\s+(?:on|in|this|next|tomorrow|today))(?!\s+in\s+(?:minutes|hours))", number, Mode.change),
        construction(
            "age", "turn turning", r"\b(?P<first>i|i'm|i'll)\s+(?:turn|turning|be turning)\s+(?P<o>\d{2})\b(?=\s+(?:on|in|this|next|tomorrow|today))", number, Mode.change),
        construction(
            "age", "i'm im i", r"(?:^|[.!;:,]\s*|\band\s+)(?P<first>i'm|i am|im)\s+[a-z][^.!?;,]{2,40},\s*(?P<o>\d{2})(?=\s*(?:,|\band\b|$|[.!]))", number, dated=False),
        construction(
            "job_title", "i'm im i", r"\b(?P<first>i'm|i am|im)\s+[a-z0-9][^.!?;,]{1,25},\s*(?:\d{2},\s*)?(?:and\s+)?an?\s+(?=[a-z])", job_en, dated=False, confidence=0.7),
        construction(
            "legal_constraint", "visa permit contract nda compete lease license licence parole probation injunction settlement court", r"\b(?:visa|permit|contract|nda|non-?compete|lease|licen[cs]e|parole|probation|injunction|settlement|court order)\b[^.!?,]{0,25}?\s(?:(?:doesn't|does not|won't|didn't)\s+(?:let|allow|permit)\s+(?:me|us)\s+(?:to\s+)?|(?:bars?|stops?|prevents?|prohibits?|bans?|keeps?)\s+(?:me|us)\s+from\s+|(?:forbids?)\s+(?:me|us)\s+(?:to\s+|from\s+))", barred_en, who=Who.first, dated=False, negatable=False, confidence=0.85),
        construction(
            "requirement", "every each all", r"(?:^|\b(?:so|and|but|because|that)\s+)(?P<o>(?:every|each|all)\s+(?:[\w-]+\s+){1,3}?(?:needs?|requires?|must have|must include|has to have|have to have)\s+(?:an?\s+|to\s+)?[\w' -]{3,45}?)(?=\s*(?:[,.;!]|$))", said(), who=Who.first, dated=False, confidence=0.7),
        construction(
            "requirement", "never ever don't", r"(?:^|[.!;:]\s*|,\s*(?:and|but)\s+)(?:please\s+|seriously,?\s+|just\s+)*(?:never(?:\s+ever)?|don't\s+(?:you\s+)?ever|do not ever|under no circumstances)\s+(?=(?:call|text|email|phone|ring|contact|book|schedule|send|use|put|share|suggest|recommend|add|give|show|deploy|push|merge|cc|leave|include|order|offer|serve|post|publish|mention|write|say|reply|ship|touch|delete|store|log|page|wake|visit)\b)", prohibition_en, who=Who.first, dated=False, negatable=False, confidence=0.75),
        construction(
            "preference", "love adore prefer enjoy", r"(?:^|[.!;]\s+)(?:absolutely\s+|really\s+|just\s+|still\s+|also\s+)*(?:love|adore|prefer|enjoy)\s+(?:an?\s+|some\s+|my\s+)?(?!your|you\b|it\b|that\b|this\b|all\b|the\b|how\b|to\b|ya\b|u\b|hearing|seeing|watching|what|him|her|them|those|these|when|from\b)", _taste_en, who=Who.first, dated=False, confidence=0.7),
        construction(
            "dislike", "stand hate hates loathe bear", r"(?:^|[.!;]\s+)(?:absolutely\s+|really\s+|also\s+)*(?:can't stand|cannot stand|can't bear|hate|loathe|detest)\s+(?:the\s+)?(?!you|it\b|that\b|this\b|to\b|how\b|when\b|him|her\b|them)", things_en(3, 2), who=Who.first, dated=False, negatable=False, confidence=0.75),
        construction(
            "skill", "can", r"\b(?P<first>i)\s+can\s+(?:also\s+|both\s+)?do\s+(?!it\b|that|this|anything|nothing|whatever|the\b|some|better|more|without|my\b|so\b|\d|a\b|any|what|you|with|both|for|in\b|on\b|\w+day)", _acts_en, dated=False, confidence=0.7),
        construction(
            "tool", "run do track keep manage handle send file draw write edit store host plan schedule pay bill invoice", rf"\b(?P<first>i|we)\s+(?:now\s+|mostly\s+|all\s+|still\s+|always\s+|usually\s+|currently\s+)*(?:run|do|track|keep|manage|handle|send|file|draw|write|edit|store|host|plan|schedule|record|process)\s+(?:all\s+|our\s+|my\s+|the\s+|of\s+)*(?:[\w-]+\s+){{0,1}}?{WORK_THINGS}\s+(?:in|on|with|through|via)\s+", tool, dated=False, confidence=0.75),
        construction(
            "tool", "runs run lives live happens happen goes sits tracked done managed handled", rf"\b{WORK_THINGS}\s+(?:now\s+)?(?:runs?|lives?|happens?|goes|go|sits?|(?:is|are|gets?)\s+(?:now\s+)?(?:tracked|kept|done|managed|handled|written|stored))\s+(?:in|on|through|via|with)\s+", tool, who=Who.first, dated=False, confidence=0.75),
        construction(
            "tool", "moved switched migrated moving switching migrating", rf"\b(?:moved|moving|switched|switching|migrated|migrating|shifted)\s+(?:all\s+|our\s+|my\s+|the\s+)*(?:[\w-]+\s+)?{WORK_THINGS}\s+(?:over\s+)?(?:to|into|onto)\s+", tool, Mode.change, confidence=0.75),
        construction(
            "goal", "goal goals", r"(?:^|[.,;!:]\s*|\b(?:and|but)\s+)(?:(?:my|the|our|new|big|main|next|current|only|one)\s+){0,2}goals?(?:\s+(?:for|this|in)\s+[\w' ]{2,18}?)?\s+(?:is|are)\s+(?:now\s+|still\s+)?to\s+", infinitive_en, who=Who.first, dated=False),
        construction(
            "goal", "goal", r"(?:^|[.,;!:]\s*|\b(?:and|but)\s+)(?:(?:my|the|our)\s+)?(?:new|next|current)\s+goal\s+is\s+(?=an?\s|\d)", rest, who=Who.first, dated=False),
        construction(
            "owns", "own have got", r"\b(?P<first>i|we)\s+(?:own|have|'ve got)\s+(?:an?\s+)?[\w-]+(?:\s[\w-]+)?\s+and\s+(?=(?:half\s+)?an?\s)", owned_en, dated=False, confidence=0.75),
        construction(
            "medication", "put started", r"\b(?:put|started)\s+(?:him|her|my\s+\w+)\s+on\s+", drug, Mode.change, confidence=0.7),
        construction(
            "phone", "old number phone cell", r"\b(?:my\s+|the\s+)?old\s+(?:number|phone|cell|mobile)(?:\s+number)?\b[^.!?]{0,30}?\b(?:dead|no longer|doesn't work|won't work|stopped working|disconnected|gone|out of service|cancelled|retired)", const(None), Mode.end, Who.first, negatable=False),
        construction(
            "email", "old email mail address inbox", r"\b(?:my\s+|the\s+)?old\s+(?:e-?mail|mail|inbox)(?:\s+address)?\b[^.!?]{0,30}?\b(?:dead|no longer|doesn't work|won't work|stopped working|bounces|disabled|gone|retired|hacked|closed)", const(None), Mode.end, Who.first, negatable=False),
    ]
)  # fmt: skip
