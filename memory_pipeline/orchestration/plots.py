"""Small plots of counts, as pictures inside Markdown metadata."""

import base64
import io
from collections.abc import Mapping

import dagster as dg

SIZE_INCHES = (4.2, 1.8)


def bars(counts: Mapping[str, int], title: str) -> dg.MarkdownMetadataValue:
    """A bar for each count, in the order given; in words where there is nothing to show."""
    if not any(counts.values()):
        return dg.MetadataValue.md(f"{title}: nothing yet")
    # 1 s to import
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE_INCHES, layout="constrained")
    axes = figure.add_subplot()
    drawn = axes.bar(list(counts), list(counts.values()), color="#4f43dd", width=0.7)
    axes.bar_label(drawn, fontsize=7)
    axes.margins(y=0.18)
    axes.set_title(title, fontsize=9, loc="left")
    axes.tick_params(labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)
    if max(map(len, counts)) * len(counts) > 60:
        axes.tick_params(axis="x", rotation=30)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=110)
    encoded = base64.b64encode(picture.getvalue()).decode("ascii")
    return dg.MetadataValue.md(f"![{title}](data:image/png;base64,{encoded})")
