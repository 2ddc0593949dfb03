"""How well candidates fit a query: meaning, words, the turns beside them, and who is named.

The calibrated cosine alone misses names, numbers and rare words, and a turn that answers a question
often holds nothing of it. So the order comes from a sum: standard scores of the cosine and of the
words, a quarter of both neighbouring turns, and one more where the query names the speaker. The
values stay those of the cosine, dealt out in that order, so that thresholds and weights of design
§7 keep their meaning. Weights from evidence recall on LoCoMo's dev dialogs
(docs/decisions/0005-relevance.md).
"""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Values = Annotated[NDArray[np.float64], "shape (n,)"]

NEIGHBOUR = 0.25
"""Share of a neighbouring turn's score that a turn gets."""
NAMED = 1.0
"""What a turn of a speaker gets whom the query names, in standard deviations of a signal."""


def relevance(
    cosines: Values, words: Values, is_named: NDArray[np.bool_], n_messages: int
) -> Values:
    """Values of `cosines`, dealt out anew by all signals, highest to the best; of equals the later
    comes first. Where every cosine is 0, as before anything was embedded, values from 0 to 1 in
    even steps.

    All of shape (n,): calibrated cosines, `words` any non-negative fit of words. The first
    `n_messages` are a dialog's turns in order, the rest have no neighbours.
    """
    fit = _standard(cosines) + _standard(words)
    turns, alone = fit[:n_messages], fit[:n_messages].copy()
    turns[1:] += NEIGHBOUR * alone[:-1]
    turns[:-1] += NEIGHBOUR * alone[1:]
    fit += NAMED * is_named
    dealt = np.empty_like(cosines)
    values = np.sort(cosines) if cosines.any() else np.linspace(0.0, 1.0, len(cosines))
    dealt[np.argsort(fit, kind="stable")] = values
    return dealt


def _standard(values: Values) -> Values:
    """Standard scores; zeros where all are alike."""
    spread = float(values.std()) if len(values) else 0.0
    return (values - values.mean()) / spread if spread > 0 else np.zeros_like(values)
