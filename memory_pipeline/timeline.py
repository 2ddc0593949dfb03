"""Pictures of a subject's history: what held when, and what was believed when. They work offline.

The page is plain HTML with drawn SVG: a row a predicate on the valid axis as known at the last
moment, and below, for each predicate that ever changed, its rectangles valid x known. Evidence
shows on hover.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from html import escape
from pathlib import Path

from memory_pipeline.bitemporal.moments import worded_period
from memory_pipeline.contracts.answer import EvidenceRef
from memory_pipeline.contracts.history import Period

WIDTH = 1100
LEFT = 170
ROW = 26
SQUARE = 240
COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#76b7b2", "#edc948", "#e15759", "#9c755f")
ERASED = "#bbbbbb"

Evidence = Mapping[str, Sequence[EvidenceRef]]


class Scale:
    """Maps moments to pixels; unbounded ends lie at the edges."""

    def __init__(self, moments: Iterable[datetime], start: float, end: float) -> None:
        known = sorted(moments)
        margin = max((known[-1] - known[0]) * 0.06, timedelta(days=3))
        self.first, self.last = known[0] - margin, known[-1] + margin
        self._start, self._end = start, end

    def at(self, moment: datetime | None, *, is_end: bool) -> float:
        """The pixel of a moment; of null, the axis's end."""
        if moment is None:
            return self._end if is_end else self._start
        share = (moment - self.first) / (self.last - self.first)
        return self._start + share * (self._end - self._start)

    def ticks(self, n: int) -> list[tuple[float, str]]:
        """About `n` dates along the axis, with their pixels."""
        step = (self.last - self.first) / n
        moments = [self.first + step * (i + 0.5) for i in range(n)]
        return [(self.at(moment, is_end=False), f"{moment:%Y-%m-%d}") for moment in moments]


def write(
    path: Path, subject: str, periods: Sequence[Period], evidence: Evidence, now: datetime
) -> None:
    """Write the picture to a `.html` or `.png` file; folders are made. Raises `ValueError` for
    another ending, and where there is nothing to draw."""
    if not periods:
        raise ValueError(f"nothing is known of {subject}, so there is nothing to draw")
    if path.suffix not in (".html", ".png"):
        raise ValueError("a timeline is written to a file that ends in .html or .png")
    path.parent.mkdir(parents=True, exist_ok=True)
    # readable by its owner alone, before anything is in it
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    path.chmod(0o600)
    if path.suffix == ".html":
        path.write_text(page(subject, periods, evidence, now), encoding="utf-8")
    else:
        _png(path, subject, periods, now)


def page(subject: str, periods: Sequence[Period], evidence: Evidence, now: datetime) -> str:
    """The HTML page."""
    colours = _colours(periods)
    current = [p for p in periods if p.known_to is None]
    by_predicate: dict[str, list[Period]] = defaultdict(list)
    for period in periods:
        by_predicate[period.predicate].append(period)
    changed = {
        name: found
        for name, found in by_predicate.items()
        if any(period.known_to is not None for period in found)
    }
    squares = "".join(
        f"<figure><figcaption>{escape(name)}</figcaption>"
        f"{_square(found, colours, evidence, now)}</figure>"
        for name, found in sorted(changed.items())
    )
    return (
        "<!doctype html><meta charset='utf-8'>"
        f"<title>{escape(subject)}</title><style>"
        "body{font:14px system-ui,sans-serif;margin:2em;color:#222}"
        "figure{display:inline-block;margin:0 24px 24px 0}figcaption{font-weight:600}"
        "text{font:11px system-ui,sans-serif;fill:#444}rect:hover{stroke:#000;stroke-width:2}"
        f"</style><h1>{escape(subject)}</h1>"
        f"<h2>What holds when</h2><p>As known at {now:%Y-%m-%d %H:%M %Z}.</p>"
        f"{_rows(current, colours, evidence, now)}"
        "<h2>What was believed when</h2><p>Across: when it was true. Upwards: what was known.</p>"
        f"{squares or '<p>Nothing was ever believed otherwise.</p>'}"
    )


def _colours(periods: Sequence[Period]) -> dict[str, str]:
    values = dict.fromkeys(f"{period.predicate}\0{period.object}" for period in periods)
    return {value: COLOURS[i % len(COLOURS)] for i, value in enumerate(values)}


def _colour(colours: Mapping[str, str], period: Period) -> str:
    return ERASED if period.erased else colours[f"{period.predicate}\0{period.object}"]


def _shown(period: Period) -> str:
    if period.erased:
        return "erased"
    return "secret" if period.object is None else str(period.object)


def _moments(periods: Sequence[Period], now: datetime, *, known: bool) -> list[datetime]:
    bounds = (
        (period.known_from, period.known_to) if known else (period.valid_from, period.valid_to)
        for period in periods
    )
    return [moment for pair in bounds for moment in pair if moment is not None] + [now]


def _hover(period: Period, evidence: Evidence) -> str:
    sources = [f"{ref.dialog_id}, turn {ref.turn}" for ref in evidence.get(period.atom_id, ())]
    lines = [
        f"{period.predicate}: {_shown(period)}",
        f"valid {worded_period(period.valid_from, period.valid_to)}",
        f"known {worded_period(period.known_from, period.known_to)}",
        *sources,
    ]
    if period.contradicted_by:
        lines.append(f"contradicted by {len(period.contradicted_by)}")
    return f"<title>{escape(chr(10).join(lines))}</title>"


def _rows(
    periods: Sequence[Period], colours: Mapping[str, str], evidence: Evidence, now: datetime
) -> str:
    scale = Scale(_moments(periods, now, known=False), LEFT, WIDTH - 20)
    lanes: list[tuple[str, list[Period]]] = []
    for period in sorted(periods, key=lambda p: (p.predicate, str(p.object))):
        name = period.predicate
        lane = next(
            (found for label, found in lanes if label == name and _fits(found, period)), None
        )
        if lane is None:
            lanes.append((name, [period]))
        else:
            lane.append(period)
    height = ROW * len(lanes) + 30
    parts = [f"<svg width='{WIDTH}' height='{height}' role='img'>"]
    for x, label in scale.ticks(8):
        parts.append(f"<line x1='{x:.0f}' y1='0' x2='{x:.0f}' y2='{height - 20}' stroke='#eee'/>")
        parts.append(f"<text x='{x:.0f}' y='{height - 4}' text-anchor='middle'>{label}</text>")
    previous = None
    for i, (name, found) in enumerate(lanes):
        if name != previous:
            parts.append(f"<text x='0' y='{i * ROW + 17}'>{escape(name)}</text>")
        previous = name
        for period in found:
            x = scale.at(period.valid_from, is_end=False)
            width = max(scale.at(period.valid_to, is_end=True) - x, 2)
            parts.append(
                f"<rect x='{x:.1f}' y='{i * ROW + 3}' width='{width:.1f}' height='{ROW - 6}' rx='3'"
                f" fill='{_colour(colours, period)}'>{_hover(period, evidence)}</rect>"
            )
            n_chars = int(width // 7)
            text = _shown(period)
            cut = text if len(text) <= n_chars else f"{text[: max(n_chars - 1, 0)]}…"
            if n_chars > 3:
                parts.append(
                    f"<text x='{x + 5:.1f}' y='{i * ROW + 17}' style='fill:#fff'"
                    f" pointer-events='none'>{escape(cut)}</text>"
                )
    x = scale.at(now, is_end=False)
    parts.append(f"<line x1='{x:.0f}' y1='0' x2='{x:.0f}' y2='{height - 20}' stroke='#c00'/></svg>")
    return "".join(parts)


def _lanes(periods: Sequence[Period]) -> list[tuple[str, list[Period]]]:
    """Rows of periods that do not overlap, by predicate."""
    lanes: list[tuple[str, list[Period]]] = []
    for period in sorted(periods, key=lambda p: (p.predicate, str(p.object))):
        fitting = (
            found for name, found in lanes if name == period.predicate and _fits(found, period)
        )
        lane = next(fitting, None)
        if lane is None:
            lanes.append((period.predicate, [period]))
        else:
            lane.append(period)
    return lanes


def _fits(lane: Sequence[Period], period: Period) -> bool:
    def before(one: Period, other: Period) -> bool:
        return (
            one.valid_to is not None
            and other.valid_from is not None
            and one.valid_to <= other.valid_from
        )

    return all(before(known, period) or before(period, known) for known in lane)


def _square(
    periods: Sequence[Period], colours: Mapping[str, str], evidence: Evidence, now: datetime
) -> str:
    across = Scale(_moments(periods, now, known=False), 0, SQUARE * 2)
    upwards = Scale(_moments(periods, now, known=True), SQUARE, 0)
    parts = [f"<svg width='{SQUARE * 2 + 10}' height='{SQUARE + 20}'>"]
    parts.append(f"<rect width='{SQUARE * 2}' height='{SQUARE}' fill='#f6f6f6'/>")
    for period in periods:
        x = across.at(period.valid_from, is_end=False)
        width = max(across.at(period.valid_to, is_end=True) - x, 2)
        top = upwards.at(period.known_to, is_end=True)
        bottom = upwards.at(period.known_from, is_end=False)
        parts.append(
            f"<rect x='{x:.1f}' y='{top:.1f}' width='{width:.1f}'"
            f" height='{max(bottom - top, 2):.1f}' fill='{_colour(colours, period)}'"
            f" stroke='#fff'>{_hover(period, evidence)}</rect>"
        )
        if width > 60:
            parts.append(
                f"<text x='{x + 4:.1f}' y='{(top + bottom) / 2 + 4:.1f}' style='fill:#fff'"
                f" pointer-events='none'>{escape(_shown(period)[: int(width // 7)])}</text>"
            )
    for x, label in across.ticks(4):
        parts.append(f"<text x='{x:.0f}' y='{SQUARE + 15}' text-anchor='middle'>{label}</text>")
    return "".join([*parts, "</svg>"])


def _png(path: Path, subject: str, periods: Sequence[Period], now: datetime) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    current = [period for period in periods if period.known_to is None]
    colours = _colours(periods)
    lanes = _lanes(current)[::-1]
    scale = Scale(_moments(current, now, known=False), 0, 100)
    figure, axes = plt.subplots(figsize=(12, 1.2 + 0.4 * len(lanes)))
    for row, (_, found) in enumerate(lanes):
        for period in found:
            start = scale.at(period.valid_from, is_end=False)
            width = scale.at(period.valid_to, is_end=True) - start
            colour = _colour(colours, period)
            axes.barh(row, width, left=start, height=0.7, color=colour, edgecolor="white")
            n_chars = int(width * 1.1)
            if n_chars > 3:
                axes.text(start, row, f" {_shown(period)[:n_chars]}", va="center", fontsize=8)
    axes.axvline(scale.at(now, is_end=False), color="#cc0000", linewidth=1)
    axes.set_yticks(range(len(lanes)), [name for name, _ in lanes])
    ticks = scale.ticks(6)
    axes.set_xticks([x for x, _ in ticks], [label for _, label in ticks])
    axes.set_title(f"{subject}, as known at {now:%Y-%m-%d}")
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)
