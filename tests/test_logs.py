"""The root's log handler: errors without their details, values masked, ids and counts kept."""

import io
import logging
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from pydantic import TypeAdapter, ValidationError

from memory_pipeline import logs
from memory_pipeline.local.services import Services

NAME = "Канарейкин Пётр"
logger = logging.getLogger("somebody.elses")


@pytest.fixture
def said() -> Iterator[io.StringIO]:
    """What the handler writes, installed at the root as the program does."""
    root = logging.getLogger()
    for left in [
        known for known in root.handlers if isinstance(known.formatter, logs.RedactingFormatter)
    ]:
        root.removeHandler(left)
    handler = logs.install("INFO")
    assert isinstance(handler, logging.StreamHandler)
    assert logs.install("INFO") is handler, "one handler, however often it is asked for"
    written = io.StringIO()
    before, level = handler.setStream(written), logger.level
    logger.setLevel("INFO")
    yield written
    logger.setLevel(level)
    if before is not None:
        handler.setStream(before)
    logging.getLogger().removeHandler(handler)


def refused(services: Services, query: str, *bound: object) -> psycopg.Error:
    with psycopg.connect(services.pg_dsn("mem_super", "postgres"), autocommit=True) as connection:
        connection.execute("create temporary table one (name text primary key, n int not null)")
        connection.execute("insert into one values (%s, 1)", (NAME,))
        with pytest.raises(psycopg.Error) as error:
            connection.execute(query.encode(), bound)
    return error.value


@pytest.mark.parametrize(
    ("query", "sqlstate"),
    [
        ("insert into one values (%s, 1)", "23505"),
        ("insert into one values (%s || 'x', null)", "23502"),
        ("select cast(%s::text as int)", "22P02"),
    ],
)
@pytest.mark.parametrize(
    "how", ["in words", "as an argument", "as the message", "with its traceback"]
)
def test_a_servers_error_is_told_without_the_row(
    services: Services, said: io.StringIO, query: str, sqlstate: str, how: str
) -> None:
    error = refused(services, query, NAME)
    if how == "in words":
        assert NAME in str(error)
        logger.error("failed: %s", str(error))
    elif how == "as an argument":
        logger.error("failed: %s", error)
    elif how == "as the message":
        logger.error(error)
    else:
        try:
            raise RuntimeError(f"about {NAME}") from error
        except RuntimeError:
            logger.exception("failed")
    text = said.getvalue()
    assert NAME not in text
    assert "ERROR somebody.elses: " in text
    if how != "in words":
        assert f"sqlstate {sqlstate}" in text
    if how == "with its traceback":
        assert "RuntimeError" in text
        assert "test_logs.py" in text


def test_parameters_and_queries_of_other_drivers_are_dropped(said: io.StringIO) -> None:
    logger.warning(
        "(psycopg2.errors.UniqueViolation) duplicate key\nDETAIL:  Key (name)=(%s) exists.\n\n"
        "[SQL: INSERT INTO one VALUES (%%(a)s)]\n[parameters: {'a': '%s'}]\n(Background on …)",
        NAME, NAME,
    )  # fmt: skip
    assert said.getvalue() == (
        "WARNING somebody.elses: (psycopg2.errors.UniqueViolation) duplicate key\n"
    )


def test_what_does_not_fit_a_contract_is_told_by_its_kind(said: io.StringIO) -> None:
    try:
        TypeAdapter(int).validate_python(NAME)
    except ValidationError as error:
        logger.error("unread: %s", error)
    assert NAME not in said.getvalue()
    assert "1 problems with int: int_parsing" in said.getvalue()


@pytest.mark.parametrize(
    "value",
    [
        "d.severov@mail.example", "+7 999 555-01-42", "4111 1111 1111 1111", "112-233-445 95",
        "GB82 WEST 1234 5698 7654 32", "sk-test-4vTq8LmXz2RbK7wNc9YdQ", "пароль: Tishka!Vs!Kresla2025",
    ],
)  # fmt: skip
def test_what_looks_like_a_secret_or_a_contact_is_masked(said: io.StringIO, value: str) -> None:
    logger.info("read %s of %d", value, 3)
    written = said.getvalue()
    assert value.removeprefix("пароль: ") not in written
    assert "[" in written
    assert written.endswith(" of 3\n")


def test_ids_counts_times_and_places_stay(said: io.StringIO) -> None:
    request_id = uuid.uuid4()
    line = (
        f"request {request_id}: 1234567 rows, 2026-11-30 14:10:46.123456+00:00, took 12.5 s,"
        f" {Path('memory_pipeline/governance/erasure/execution.py')}:1234"
    )
    logger.info(line)
    logger.info("%(n)d of %(id)s", {"n": 7, "id": request_id})
    assert (
        said.getvalue() == f"INFO somebody.elses: {line}\nINFO somebody.elses: 7 of {request_id}\n"
    )


def test_a_formatter_before_does_not_leave_an_errors_words(said: io.StringIO) -> None:
    """Formatters share a record, and the standard one keeps the traceback's text in it."""
    other = logging.StreamHandler(io.StringIO())
    logging.getLogger().handlers.insert(0, other)
    try:
        raise RuntimeError(NAME)
    except RuntimeError:
        logger.exception("failed")
    finally:
        logging.getLogger().removeHandler(other)
    assert NAME not in said.getvalue()
