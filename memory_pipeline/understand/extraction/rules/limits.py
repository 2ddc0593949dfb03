"""What a sentence sets as a limit, a date or a duty."""

from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Scene
from memory_pipeline.understand.extraction.rules.budgets import budgets
from memory_pipeline.understand.extraction.rules.deadlines import deadlines
from memory_pipeline.understand.extraction.rules.duties import legal, requirements
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import AnyOf

_TRIGGER = AnyOf(
    r"бюджет|лимит|потолок|потолк|максимум|предел|не больше|не более|не дороже|больше \w+ |уложи|уклад|потян|не выше|не превыш|смет|готов\w* потрат|про все|ни копе|ни рубл|отложен|отложил|влезть|миллион|"
    r"должен|дедлайн|срок|не поздн|не позже|сдать|сдаем|сдаю|к (?:\d|понед|вторн|сред|четв|пятн|субб|воскр|конц)|до \d|должн|обязат|требован|обязан|нельзя|запрещ|запрет|nda|фз|юрист|"
    r"договор|закон|лицензи|суд|правил|никогда|никаких|только через|подписал|строго|перенес|продлил|сдвинул|"
    r"budget|not a |nothing over|closes|cap\b|capped|limit|ceiling|spend|max\b|maximum|no more than|can't go|afford|up to|under|at most|deadline|due\b|by (?:the|\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|eod|end)|no later|"
    r"must|required|requirement|needs? to|has to|have to|never|barred|legal|nda\b|non-?compete|gdpr|hipaa|contract|court|compliance|restrain|prohibit|not allowed|forbidden|mandatory|ship|pushed|extended|moved|rule"
)


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """Budgets, deadlines, legal constraints and requirements of the sentence."""
    if not _TRIGGER.is_in(sentence.low):
        return
    yield from budgets(sentence, scene)
    found = [*deadlines(sentence, scene), *legal(sentence)]
    yield from found
    if not found:
        yield from requirements(sentence, scene)
