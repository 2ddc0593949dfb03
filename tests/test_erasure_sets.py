"""What a plan redacts goes in sets of edits, which by their nature only take away."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

from memory_pipeline.governance.erasure import edits, plan
from memory_pipeline.governance.erasure.mentions import redacted
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from tests.scenario import STORY
from tests.test_erasure_plan import LOCATION, Planner, planner

texts = st.text(st.sampled_from("аbЁ 7\n\t—😀\u00a0"), max_size=12)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def made(services: Services) -> Services:
    return ready(services.home.path)


@pytest.fixture
def story(made: Services, tmp_path: Path) -> Iterator[Planner]:
    with planner(made, tmp_path, *STORY) as found:
        yield found


def less(value: Any, draw: st.DataObject) -> Any:
    """The value with some characters masked and some elements of lists left out."""
    if isinstance(value, str):
        start, end = sorted(draw.draw(st.tuples(st.integers(0, 12), st.integers(0, 12))))
        return redacted(value, [(start, end)])
    if isinstance(value, list):
        return [less(part, draw) for part in value if draw.draw(st.booleans())]
    if isinstance(value, dict):
        return {key: less(part, draw) for key, part in value.items()}
    return value


@given(values, st.data())
def test_a_value_with_less_in_it_is_made_of_the_stored_one_by_its_edits(
    made: Services, old: Any, data: st.DataObject
) -> None:
    new = less(copy.deepcopy(old), data)
    found = edits.of_json("extraction_content", "answer", uuid4(), old, new)
    with psycopg.connect(made.pg_dsn("mem_eraser"), autocommit=True) as connection:
        row = connection.execute(
            "select memory.edited(%(old)s, %(edits)s), memory.is_less_of(memory.edited(%(old)s,"
            " %(edits)s), %(old)s)",
            {"old": Jsonb(old), "edits": Jsonb(found.edits)},
        ).fetchone()
    assert row == (new, True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Казань", "Казан█ь"),
        ("Казань", "Самара"),
        ("из Казани", "из█Казани"),
        ({"a": "б"}, {"a": "б", "c": "█"}),
        ({"a": "б", "c": "г"}, {"a": "б"}),
        (["а"], ["а", "б"]),
        (["а", "б"], ["б", "а"]),
        (7, None),
        (7, 8),
    ],
)
def test_what_adds_or_changes_anything_has_no_edits(old: Any, new: Any) -> None:
    with pytest.raises(edits.NotLess):
        edits.of_json("atom_content", "object", uuid4(), old, new)


@pytest.mark.parametrize(
    "edit",
    [
        [["text"], None],
        [["n"], [[0, 1]]],
        [["absent"], [[0, 1]]],
        [["atoms", "7"], None],
        [[], None],
        [["text"], "х"],
    ],
)
def test_an_edit_that_neither_masks_nor_leaves_out_is_refused(made: Services, edit: Any) -> None:
    stored = {"text": "Казань", "n": 7, "atoms": ["а"]}
    with (
        psycopg.connect(made.pg_dsn("mem_eraser"), autocommit=True) as connection,
        pytest.raises(psycopg.errors.CheckViolation),
    ):
        connection.execute("select memory.edited(%s, %s)", (Jsonb(stored), Jsonb([edit])))


def atoms_to_redact(story: Planner) -> tuple[UUID, UUID]:
    """A request whose content may go and the one atom that it redacts."""
    request_id, atom_id = uuid4(), story.atom("Postgres")
    story.connection.execute(
        "insert into memory.erasure_request (request_id, tenant_id, ground, state)"
        " values (%s, %s, 'operator', 'keys_destroyed')",
        (request_id, story.tenant_id),
    )
    story.connection.execute(
        "insert into memory.erasure_item (request_id, kind, item_id, action)"
        " values (%s, 'atom', %s, 'redact')",
        (request_id, atom_id),
    )
    return request_id, atom_id


def test_rows_are_redacted_at_once_and_only_those_of_the_plan(story: Planner) -> None:
    request_id, atom_id = atoms_to_redact(story)
    other_id = story.atom("Казань")

    def texts_of(*ids: UUID) -> list[str]:
        rows = story.connection.execute(
            "select text from memory.atom_content where atom_id = any(%s) order by atom_id",
            (sorted(ids),),
        ).fetchall()
        return [row[0] for row in rows]

    def put(*redactions: edits.Redaction) -> dict[str, int]:
        with story.connection.transaction():
            return edits.put(story.connection, request_id, list(redactions))

    before, untouched = texts_of(atom_id), texts_of(other_id)
    hidden = edits.Redaction("atom_content", "text", atom_id, [(0, 3)], "███")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        put(hidden, edits.Redaction("atom_content", "text", other_id, [(0, 3)], "███"))
    assert texts_of(atom_id) == before
    with pytest.raises(psycopg.errors.InvalidParameterValue):
        put(edits.Redaction("message_content", "text", atom_id, [(0, 3)], "███"))
    with pytest.raises(psycopg.errors.InvalidParameterValue):
        put(edits.Redaction("name_content", "name", atom_id, [(0, 3)], "███"))
    value = edits.of_json("atom_content", "object", atom_id, "Postgres", "Post████")
    assert put(hidden, value) == {"atom_content": 2}
    assert texts_of(atom_id) == [redacted(before[0], [(0, 3)])]
    assert story.connection.execute(
        "select object from memory.atom_content where atom_id = %s", (atom_id,)
    ).fetchone() == ("Post████",)
    assert texts_of(other_id) == untouched
    story.connection.execute(
        "update memory.erasure_request set state = 'cancelled' where request_id = %s", (request_id,)
    )
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
        put(hidden)


@pytest.mark.parametrize("login", ["mem_builder", "mem_ingest", "mem_verifier"])
def test_nobody_but_the_eraser_redacts_rows(made: Services, login: str) -> None:
    with (
        psycopg.connect(made.pg_dsn(login), autocommit=True) as other,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        other.execute(
            "select memory.redact_rows(%s, 'atom_content', 'text', '{}', '{}')", (uuid4(),)
        )


# ---------- a plan is made again where what it is made of moved


def test_a_tag_that_a_predicate_gets_after_discovery_joins_the_plan(story: Planner) -> None:
    request_id = story.discover(LOCATION)
    postgres = story.atom("Postgres")
    services = story.scenario.services
    # in one transaction that is undone: the registry is everybody's
    with (
        psycopg.connect(services.pg_dsn("mem_super"), autocommit=True) as admin,
        admin.transaction(force_rollback=True),
    ):
        admin.execute("set local role mem_eraser")
        assert plan.recompute(admin, request_id, story.keys) == 0
        admin.execute("set local role mem_owner")
        admin.execute(
            "insert into memory.predicate_version (predicate_id, version, value_type, cardinality,"
            " tags, sensitivity, default_importance, label_ru, label_en, examples)"
            " select v.predicate_id, v.version + 1, v.value_type, v.cardinality,"
            " v.tags || array['location'], v.sensitivity, v.default_importance, v.label_ru,"
            " v.label_en, v.examples"
            " from memory.predicate_version as v join memory.atom as a using (predicate_id)"
            " where a.atom_id = %s order by v.version desc limit 1",
            (postgres,),
        )
        admin.execute("set local role mem_eraser")
        assert plan.recompute(admin, request_id, story.keys) > 0
        row = admin.execute(
            "select action::text from memory.erasure_item where request_id = %s and item_id = %s",
            (request_id, postgres),
        ).fetchone()
    assert row == ("erase",)


def test_a_context_asked_for_after_discovery_joins_the_plan(story: Planner) -> None:
    request_id = story.discover(LOCATION)
    with story.scenario.memory() as memory:
        asked = memory.request_context("home", "Когда Дмитрий был в Казани?", 100)
        other = memory.request_context("home", "Что он любит?", 100)
    try:
        with story.connection.transaction():
            assert plan.recompute(story.connection, request_id, story.keys) > 0
        with story.connection.transaction():
            assert plan.recompute(story.connection, request_id, story.keys) == 0
        assert asked in story.items(request_id, "snapshot_request", "erase")
        assert other not in story.items(request_id, "snapshot_request", "erase")
    finally:
        with psycopg.connect(story.scenario.services.pg_dsn("mem_builder")) as builder:
            builder.execute(
                "update memory.snapshot_request set state = 'dismissed' where request_id = any(%s)",
                ([asked, other],),
            )


# ---------- what the verifier reads byte by byte


def test_no_content_is_compressed_on_disk(story: Planner) -> None:
    services = story.scenario.services
    with psycopg.connect(services.pg_dsn("mem_super"), autocommit=True) as admin:
        columns = admin.execute(
            "select c.relname, a.attname from pg_class as c join pg_attribute as a"
            " on a.attrelid = c.oid where c.relnamespace = 'memory'::regnamespace"
            " and c.relkind in ('r', 'p') and a.attnum > 0 and a.attstorage = 'x'"
            " and split_part(obj_description(c.oid, 'pg_class'), ':', 1) = 'content'"
        ).fetchall()
        stored = admin.execute(
            "select count(*) from pg_attribute where attstorage = 'e'"
            " and attrelid = 'memory.message_content_p0'::regclass and attname = 'text'"
        ).fetchone()
    assert columns == []
    assert stored == (1,)
