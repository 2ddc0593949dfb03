"""Several items a call: split on trouble, try again what came back unusable."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from memory_pipeline.understand.openai_chat import CallFailure

Item = TypeVar("Item")
Result = TypeVar("Result")

Ask = Callable[[Sequence[Item]], list[Result | CallFailure]]
"""Answers a few items in one call, one result an item, in order."""


def answer_all(
    items: Sequence[Item], ask: Ask[Item, Result], n_per_call: int, n_parallel: int, n_attempts: int
) -> list[Result | CallFailure]:
    """One result an item, in order.

    Items of a call that failed as a whole are halved down to one; a single item whose answer was
    unusable is asked for `n_attempts` times in all. What then still fails stays a failure.
    """
    groups = [items[i : i + n_per_call] for i in range(0, len(items), n_per_call)]

    def run(group: Sequence[Item]) -> list[Result | CallFailure]:
        return _answer(group, ask, n_attempts)

    if n_parallel <= 1 or len(groups) <= 1:
        answered = [run(group) for group in groups]
    else:
        with ThreadPoolExecutor(max_workers=n_parallel) as pool:
            answered = list(pool.map(run, groups))
    return [result for group in answered for result in group]


def _answer(
    group: Sequence[Item], ask: Ask[Item, Result], n_attempts: int
) -> list[Result | CallFailure]:
    results: list[Any] = ask(group)
    if len(group) > 1:
        if all(isinstance(r, CallFailure) and r.splittable for r in results):
            middle = len(group) // 2
            return [
                *_answer(group[:middle], ask, n_attempts),
                *_answer(group[middle:], ask, n_attempts),
            ]
        return [
            _alone(item, result, ask, n_attempts - 1) if _is_unusable(result) else result
            for item, result in zip(group, results, strict=True)
        ]
    return [_alone(group[0], results[0], ask, n_attempts - 1)]


def _alone(
    item: Item, result: Result | CallFailure, ask: Ask[Item, Result], n_left: int
) -> Result | CallFailure:
    while _is_unusable(result) and n_left > 0:
        result = ask([item])[0]
        n_left -= 1
    return result


def _is_unusable(result: object) -> bool:
    """Whether asking again may help at once: the call went through, its answer was bad. What the
    client retried already (429, 5xx, time-outs) waits for the next run."""
    return isinstance(result, CallFailure) and result.splittable and result.code != "rejected"
