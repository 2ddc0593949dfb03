"""A message cut into its own words, quoted lines, old notes and pasted texts."""

import re
from dataclasses import dataclass, replace

from memory_pipeline.understand.gated import Gated


@dataclass(frozen=True)
class Segment:
    """A stretch of a message; a noted date and writer make it an old note that is retold."""

    text: str
    start: int
    quoted: bool = False
    noted_on: str | None = None
    writer: str | None = None


_NOTE = re.compile(
    r"^(?:\[(?P<d1>\d{1,2}[./]\d{1,2}[./]\d{4}|\d{4}-\d\d-\d\d)[^\]\n]{0,12}\]\s*(?P<w1>[^:\n]{1,40}):"
    r"|>\s*(?P<w2>[^,:\n>]{1,40}),\s*(?P<d2>\d{1,2}[./]\d{1,2}[./]\d{4}|\d{4}-\d\d-\d\d)[^:\n]{0,12}:)\s*"
)
_WROTE = re.compile(
    r"\bOn (?P<date>\d{1,2} \w{3,9} \d{4}|\w{3,9} \d{1,2},? \d{4})[^\n]{0,20}, (?P<writer>[^\n,]{1,40}) wrote:\s*$"
)


def segments(text: str) -> list[Segment]:
    """The message cut into its own words, quoted lines, and dated old notes."""
    if "\n" not in text and not text.startswith((">", "[")):
        return [Segment(text, 0)]
    out: list[Segment] = []
    at = 0
    wrote: re.Match[str] | None = None
    for line in text.splitlines(keepends=True):
        note = _NOTE.match(line)
        header = _WROTE.search(line.rstrip("\n"))
        if note:
            out.append(
                Segment(
                    line[note.end() :],
                    at + note.end(),
                    True,
                    note["d1"] or note["d2"],
                    (note["w1"] or note["w2"]).strip(),
                )
            )
        elif line.startswith(">"):
            body = line.lstrip("> ")
            noted, writer = (wrote["date"], wrote["writer"].strip()) if wrote else (None, None)
            out.append(Segment(body, at + len(line) - len(body), True, noted, writer))
        elif header:
            wrote = header
        elif out and not out[-1].quoted:
            last = out[-1]
            out[-1] = replace(last, text=text[last.start : at + len(line)])
        else:
            out.append(Segment(line, at))
        at += len(line)
    return out


_PASTED = Gated(
    r"\b(?:текст|статью|статья|письмо|отрывок|абзац|переведи|перескажи|перепиши|сократи|исправь|проверь|отредактируй|резюмируй|напиши коротенько|"
    r"translate|summari[sz]e|rewrite|proofread|paraphrase|shorten|edit|text|article|passage|paragraph|essay)\b[^:\n]{0,60}:\s*(?=\S.{120})",
    re.IGNORECASE | re.DOTALL,
)


def own_words(text: str) -> str:
    """The message without a long text that its writer pasted to have it worked on."""
    pasted = _PASTED.search(text)
    return text[: pasted.end()] if pasted else text
