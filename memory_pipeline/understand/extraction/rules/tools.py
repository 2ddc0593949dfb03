"""Rules for `tool`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Who
from memory_pipeline.understand.extraction.lexicon import (
    tool_name,
    tools_in,
)
from memory_pipeline.understand.extraction.rules.grammar import negated, person_of
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated

EN_USE = Gated(
    r"\b(?:(?P<first>(?:i|we)(?:'ve| have)?\s+(?:been\s+|still\s+|now\s+|mostly\s+|mainly\s+|also\s+|currently\s+|only\s+|just\s+|always\s+|actually\s+)*(?:use|using|write in|code in|work in|live in|run on|program in|rely on|develop in)|(?:i'm|i am|we're|im)\s+(?:still\s+|now\s+|currently\s+)*(?:using|on|writing in|coding in|running)|our (?:stack|infra|setup|toolchain|backend|frontend|ci|pipeline|database|db|crm) (?:is|runs on|uses|lives in)|my (?:editor|ide|stack|setup|shell|go-to|main tool) (?:is|of choice is)|editor of choice is|everything(?:'s| is) in|we run everything on|we do everything in|i live in)|(?P<third>uses|is using|runs on))\s+"
)
RU_USE = Gated(
    r"\b(?:(?P<first>пользуюсь|пользуемся|(?:\w+(?:ую|юю|аю|яю|ишу|исую|еду|илю|ержу|ержим|едем|ишем|уем|аем|яем))(?:\s+[\w-]+){0,2}\s+(?:в|на)|использую|используем|пишу(?: код)? (?:в|на)|пишем (?:в|на)|программирую (?:в|на)|кодю (?:в|на)|кожу на|сижу (?:на|в)|сидим (?:на|в)|работаю (?:в|с)|рисую в|веду (?:все )?в|верстаю в|держим (?:все )?(?:в|на)|из редакторов у меня|из инструментов у меня|стек(?: у нас| у меня)?|редактор (?:у меня|мой)|у нас (?:все|вся \w+|документация|задачи|заметки|проекты) (?:в|на)|на проекте|в проекте)|(?P<third>пользуется|использует|пишет (?:в|на)))\s*(?:[-—–:]\s*)?"
)
EN_SWITCH = Gated(
    r"\b(?:switched|switching|moved|moving|migrated|migrating|switch|migrate)(?:\s+(?!to\b|from\b)[\w'-]+){0,4}?(?:\s+from\s+(?P<old>[\w .+#-]{1,30}?))?\s+(?:over\s+)?to\s+"
)
RU_SWITCH = Gated(
    r"\b(?:ушел|ушла|ушли|перешел|перешла|перешли|переехал[аи]?|перееха\w+|перевел[аи]?|перешли|пересел[аи]?|мигрировал[аи]?|перебрал(?:ся|ась|ись)|переходим|перехожу|мигрируем)(?:\s+(?!на\b|с\b)[\w-]+){0,3}?(?:\s+с\s+(?P<old>[\w .+#-]{1,30}?))?\s+на\s+"
)
EN_FOR = Gated(
    r"\b(?:ditched|dropped|swapped|traded|left|replaced)\s+(?P<old>[\w .+#-]{2,20}?)\s+(?:for|with|in favou?r of)\s+(?P<new>[\w .+#-]{2,25})"
)
_NAME = re.compile(r"[A-Z][\w+#]*(?:\s[A-Z]\w+)?")
EN_IN_TOOL = Gated(
    r"\b(?:(?:i|we)\s+(?:do|keep|write|edit|draw|track|manage|store|host|build|design|model|record|run|plan|organi[sz]e)\s+(?:[\w-]+\s+){0,4}?(?:in|on|with)|(?:the |our )?team(?:'s| is)\s+(?:\w+\s+)?on)\s+"
)
EN_MINE = Gated(
    r"(?P<what>[\w .+#]{2,20}?)\s+is\s+my\s+(?:editor|ide|go-to|tool of choice|main tool|daily driver|browser|favou?rite (?:tool|editor|app))"
)
EN_DROP = Gated(
    r"\b(?:(?P<verb>(?<!a )(?:dropped|ditched|stopped using|uninstalled|got rid of|retired|decommissioned|no longer (?:use|using)|don't use|quit using|done with|gave up on|cancelled|killed))\s+(?:the\s+|our\s+|my\s+)?)|\b(?P<gone>[\w .+#-]{2,25}?)\s+(?:is|are|'s)\s+(?:gone|dead|out|retired|history|no more)\b"
)
RU_DROP = Gated(
    r"\b(?:(?:больше|уже) не (?:пользуюсь|пользуемся|использую|используем|пишу на|пишу в)|отказал(?:ся|ась|ись) от|выпилили|выкинул[аи]?|снес(?:ла|ли)?|удалил[аи]?|забросил[аи]?|ушли с|слез(?:ла|ли)? с|похоронили|отключили)\s+"
)
RU_DROPPED = Gated(
    r"(?P<what>[\w.+#-]+)\s+(?:слез(?:ла|ли)?|снес(?:ла|ли)?|удалил[аи]?|выпилил[аи]?|выкинул[аи]?|забросил[аи]?)\b"
)

_NOW = Gated(
    r"(?:\bс сегодняшнего дня|\bтеперь|\bснова|\bтеперь уже|\bback to|\bnow on|\bback on)\s+"
)
_CI_ON = Gated(r"\bci (?:is )?on\s+")
_LIST_STOP = re.compile(
    r"[.!?;]|\s(?:but|because|since|for|to|when|if|so|not|instead|но|а|чтобы|потому|вместо|не|для)\s"
)


def tools(sentence: Sentence) -> Iterator[Found]:
    """Known tools: used, taken up, dropped."""
    text, low = sentence.text, sentence.low
    russian = sentence.lang == "ru"
    taken: set[str] = set()
    if not russian:
        for found in EN_FOR.finditer(low):
            old = tools_in(text, low, found.start("old"), found.end("old"), strict=False)[:1]
            new = tools_in(text, low, found.start("new"), found.end("new"), strict=False)[:1]
            if old and not new and (named := _NAME.match(text, found.start("new"))):
                new = [(named[0], named.start(), named.end())]
            if old and new:
                taken.update((old[0][0], new[0][0]))
                yield Found(
                    "tool",
                    old[0][0],
                    found.start(),
                    found.end(),
                    Mode.end,
                    Who.open,
                    confidence=0.85,
                )
                yield Found(
                    "tool",
                    new[0][0],
                    found.start(),
                    found.end(),
                    Mode.change,
                    Who.open,
                    confidence=0.85,
                )
        for found in EN_MINE.finditer(low):
            for name, _, _ in tools_in(
                text, low, found.start("what"), found.end("what"), strict=False
            )[-1:]:
                taken.add(name)
                yield Found(
                    "tool", name, found.start(), found.end(), Mode.state, Who.first, confidence=0.85
                )
    for found in (RU_DROP if russian else EN_DROP).finditer(low):
        if not russian and found["gone"] is not None:
            hits = tools_in(text, low, found.start("gone"), found.end("gone"), strict=False)[-1:]
        else:
            hits = tools_in(text, low, found.end(), min(len(low), found.end() + 25), strict=False)[
                :1
            ]
        for name, a, b in hits:
            if name in taken:
                continue
            taken.add(name)
            yield Found(
                "tool",
                name,
                min(found.start(), a),
                max(found.end(), b),
                Mode.end,
                Who.first,
                verb=found.start(),
                confidence=0.85,
            )
    if russian:
        for found in RU_DROPPED.finditer(low):
            gone = tool_name(found["what"])
            if gone and gone not in taken:
                taken.add(gone)
                yield Found(
                    "tool", gone, found.start(), found.end(), Mode.end, Who.first, confidence=0.85
                )
    for found in (RU_SWITCH if russian else EN_SWITCH).finditer(low):
        hits = tools_in(text, low, found.end(), min(len(low), found.end() + 30), strict=False)[:1]
        if not hits or low[found.end() : hits[0][1]].strip():
            continue
        name, _, b = hits[0]
        taken.add(name)
        yield Found(
            "tool",
            name,
            found.start(),
            b,
            Mode.change,
            Who.open,
            verb=found.start(),
            confidence=0.88,
        )
        if found["old"]:
            for previous, _, _ in tools_in(
                text, low, found.start("old"), found.end("old"), strict=False
            ):
                taken.add(previous)
                yield Found(
                    "tool",
                    previous,
                    found.start(),
                    b,
                    Mode.end,
                    Who.open,
                    verb=found.start(),
                    confidence=0.85,
                )
    if not russian:
        for found in EN_IN_TOOL.finditer(low):
            for name, a, b in tools_in(
                text, low, found.end(), min(len(low), found.end() + 20), strict=False
            )[:1]:
                if name not in taken and a == found.end():
                    taken.add(name)
                    yield Found(
                        "tool", name, found.start(), b, Mode.state, Who.first, confidence=0.8
                    )
    for found in (RU_USE if russian else EN_USE).finditer(low):
        if negated(low, found.start()) or re.search(r"\b(?:used to|to)\s+$", low[: found.start()]):
            continue
        stop = _list_end(low, found.end())
        hits = tools_in(text, low, found.end(), stop, strict=False)
        if not hits or len(low[found.end() : hits[0][1]].split()) > 3:
            continue
        for name, _, b in hits:
            if name not in taken:
                taken.add(name)
                yield Found(
                    "tool",
                    name,
                    found.start(),
                    b,
                    Mode.state,
                    person_of(found),
                    verb=found.start(),
                    confidence=0.85,
                )
    for found in _NOW.finditer(low):
        for name, a, b in tools_in(
            text, low, found.end(), min(len(low), found.end() + 20), strict=False
        )[:1]:
            if name not in taken and low[found.end() : a].strip() in ("", "на", "в"):
                taken.add(name)
                yield Found("tool", name, found.start(), b, Mode.change, Who.first, confidence=0.8)
    ci = _CI_ON.search(low)
    if ci:
        for name, _, b in tools_in(text, low, ci.end(), min(len(low), ci.end() + 25), strict=False)[
            :1
        ]:
            if name not in taken:
                yield Found("tool", name, ci.start(), b, Mode.state, Who.first, confidence=0.8)


def _list_end(low: str, start: int) -> int:
    stop = _LIST_STOP.search(low, start)
    return min(stop.start() if stop else len(low), start + 90)
