"""The certificate: refused by cause, naming nobody, and known from a forged one."""

import json
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest

from memory_pipeline.bitemporal.batches import batch
from memory_pipeline.bitemporal.tenants import Audiences, tenant_id
from memory_pipeline.contracts.erasure import StoreReport, StoreState
from memory_pipeline.governance import audit
from memory_pipeline.governance.erasure import certificate
from memory_pipeline.governance.erasure.certificate import CertificateRefused
from memory_pipeline.local.services import Services
from tests.databases import fresh_database

Ids = tuple[int, uuid.UUID, uuid.UUID, uuid.UUID]
SECRETS = ("Казань", "Дмитрий", "chat-canary", "city_of_canary")
STORES = (
    StoreReport(store="atom_content", state=StoreState.verified, n_found=1, n_erased=1, n_left=0),
    StoreReport(store="originals", state=StoreState.not_verifiable, note="outside_landing"),
)


@dataclass
class Verified:
    """A request that stands before its certificate; all that a test does to it is taken back."""

    eraser: psycopg.Connection[Any]
    tenant: int
    request_id: uuid.UUID
    message_id: uuid.UUID

    def issue(self, *stores: StoreReport, undeclared: tuple[str, ...] = ()) -> dict[str, Any]:
        with self.eraser.transaction():
            return certificate.issue(
                self.eraser, self.tenant, self.request_id, stores or STORES, undeclared
            )

    def as_owner(self, *statements: str) -> None:
        """Run statements with every right."""
        self.eraser.execute("set local role none")
        for statement in statements:
            self.eraser.execute(statement.encode())
        self.eraser.execute("set local role mem_eraser")


@pytest.fixture(scope="module")
def made(services: Services) -> Iterator[tuple[str, Ids]]:
    """A database with an atom and its message in it."""
    with fresh_database(services) as name:
        with psycopg.connect(services.pg_dsn("mem_ingest", name), autocommit=True) as ingest:
            ids = fill(ingest)
        yield name, ids


@pytest.fixture
def verified(services: Services, made: tuple[str, Ids]) -> Iterator[Verified]:
    name, (tenant, atom_id, message_id, dialog_id) = made
    request_id = uuid.uuid4()
    with (
        psycopg.connect(services.pg_dsn("mem_super", name), autocommit=True) as eraser,
        eraser.transaction(force_rollback=True),
    ):
        eraser.execute("set local role mem_eraser")
        eraser.execute(
            "insert into memory.erasure_request (request_id, tenant_id, ground, state, due_at)"
            " values (%s, %s, 'consent_withdrawn', 'verified', now())",
            (request_id, tenant),
        )
        eraser.execute(
            "insert into memory.erasure_request_content values (%s, %s, 'ticket of Дмитрий')",
            (request_id, json.dumps({"subject": "Дмитрий"})),
        )
        for kind, item_id, action in (
            ("atom", atom_id, "erase"), ("message", message_id, "redact"),
            ("dialog", dialog_id, "hide"),
        ):  # fmt: skip
            eraser.execute(
                "insert into memory.erasure_item (request_id, kind, item_id, action)"
                " values (%s, %s, %s, %s)",
                (request_id, kind, item_id, action),
            )
        for step in ("fenced", "erased", "scrubbed", "verified"):
            with eraser.transaction():
                audit.append(eraser, tenant, f"erasure.{step}", request_id, {"n": 1})
        yield Verified(eraser, tenant, request_id, message_id)


def fill(ingest: psycopg.Connection[Any]) -> Ids:
    """An atom, its message, names and ids of a log; the ids of what is erased."""
    message_id, dialog_id, speaker_id, file_id, atom_id = (uuid.uuid4() for _ in range(5))
    tenant = tenant_id(ingest, "a", create=True)
    audience = Audiences(ingest, tenant).id_of(())
    row = ingest.execute(
        "insert into memory.predicate (tenant_id, name) values (%s, 'city_of_canary')"
        " returning predicate_id",
        (tenant,),
    ).fetchone()
    assert row is not None
    ingest.execute(
        "insert into memory.predicate_version (predicate_id, version, value_type, cardinality,"
        " tags, default_importance, label_ru, label_en, examples)"
        " values (%s, 1, 'text', 'single', '{location}', 'RELEVANT', 'x', 'x', '[]')",
        row,
    )
    with batch(ingest, tenant, "test") as running:
        at = running.batch_id
        ingest.execute(
            "insert into memory.log_file values (%s, %s, %s, '', 1, 'jsonl', 1, now())",
            (file_id, tenant, at),
        )
        ingest.execute(
            "insert into memory.dialog values (%s, %s, %s, '', null)", (dialog_id, tenant, at)
        )
        ingest.execute(
            "insert into memory.dialog_content values (%s, '', 'chat-canary', null, '')",
            (dialog_id,),
        )
        ingest.execute(
            "insert into memory.entity values (%s, %s, %s, 'speaker', %s, '')",
            (speaker_id, tenant, at, dialog_id),
        )
        ingest.execute(
            "insert into memory.name_content values (%s, %s, 'label', 'Дмитрий', '')",
            (uuid.uuid4(), speaker_id),
        )
        ingest.execute(
            "insert into memory.message (message_id, tenant_id, audience_id, batch_id,"
            " dialog_id, speaker_id, file_id, position, message_key, role, sent_at,"
            " sent_at_source, lang, text_hash, n_chars) values (%s, %s, %s, %s, %s, %s, %s, 1,"
            " '', 'user', now(), 'stated', 'ru', '', 14)",
            (message_id, tenant, audience, at, dialog_id, speaker_id, file_id),
        )
        ingest.execute(
            "insert into memory.atom (atom_id, tenant_id, audience_id, batch_id, message_id,"
            " subject_id, predicate_id, kind, object_key, polarity, start_inferred,"
            " holds_when_told, valid_precision, message_key, span_start, span_end,"
            " statement_hash, confidence, origin, trust, is_own, author, lang)"
            " values (%s, %s, %s, %s, %s, %s, %s, 'semantic', '', 'affirmed', true, true, 'day',"
            " '', 7, 13, '', 0.9, 'human', 4, true, 'operator', 'ru')",
            (atom_id, tenant, audience, at, message_id, speaker_id, row[0]),
        )
        ingest.execute(
            "insert into memory.atom_content values (%s, %s, %s, '\"Казань\"', 'в Казани')",
            (atom_id, speaker_id, audience),
        )
    return tenant, atom_id, message_id, dialog_id


def test_it_tells_what_was_done_and_nothing_of_what_was_erased(verified: Verified) -> None:
    body = verified.issue()
    assert body == certificate.certificate(verified.eraser, verified.request_id)
    assert body["categories"] == ["location"]
    assert body["counts"] == {"atom erased": 1, "message redacted": 1}
    assert [step["step"] for step in body["steps"]] == ["fenced", "erased", "scrubbed", "verified"]
    assert [s["store"] for s in body["stores"]] == ["atom_content", "originals"]
    text = certificate.readable(body)
    said = json.dumps(body, ensure_ascii=False) + text
    for secret in (*SECRETS, str(verified.message_id)):
        assert secret not in said
    for part in (str(verified.request_id), "location", "outside_landing", body["audit"]["hash"]):
        assert part in text
    assert "none are known to this installation" in text
    assert "removed physically, not by destroying a key" in text


def test_backups_are_named_with_their_horizon(verified: Verified) -> None:
    verified.as_owner(
        "insert into memory.tenant_setting (tenant_id, name, value)"
        f" values ({verified.tenant}, 'backup_days', '30')"
    )
    body = verified.issue()
    row = verified.eraser.execute(
        "select %s::timestamptz - %s::timestamptz = interval '30 days'",
        (body["backups_until"], body["issued_at"]),
    ).fetchone()
    assert row == (True,)
    assert f"may hold it until {body['backups_until']}" in certificate.readable(body)


def test_a_certificate_is_known_from_one_that_was_changed(verified: Verified) -> None:
    body = verified.issue()
    copied = json.loads(json.dumps(body))
    assert certificate.is_genuine(verified.eraser, copied)
    changes: tuple[dict[str, Any], ...] = (
        {"counts": {"atom erased": 2}}, {"categories": []}, {"due_at": None},
        {"request_id": str(uuid.uuid4())}, {"more": 1},
    )  # fmt: skip
    for changed in changes:
        assert not certificate.is_genuine(verified.eraser, copied | changed)
    with pytest.raises(psycopg.errors.UniqueViolation):
        verified.issue()


def test_a_certificate_whose_audit_row_is_altered_is_no_longer_genuine(verified: Verified) -> None:
    body = verified.issue()
    verified.as_owner(
        "alter table memory.audit_event disable trigger user",
        "update memory.audit_event set details = '{}' where action = 'erasure.certified'",
    )
    assert not certificate.is_genuine(verified.eraser, body)
    broken = verified.eraser.execute("select fault from memory.audit_breaks()").fetchall()
    assert broken == [("altered",)]


def mention(verified: Verified, state: str) -> None:
    verified.eraser.execute(
        "insert into memory.erasure_mention values (%s, %s, %s, 0, 1, %s)",
        (uuid.uuid4(), verified.request_id, verified.message_id, state),
    )


def break_the_log(verified: Verified) -> None:
    verified.as_owner(
        "alter table memory.audit_event disable trigger user",
        "update memory.audit_event set actor = 'x' where seq = 2",
    )


@pytest.mark.parametrize(
    ("stores", "undeclared", "spoil", "reason"),
    [
        ((StoreReport(store="graph", state=StoreState.failed),), (), None,
         "store graph is failed"),
        ((StoreReport(store="graph", state=StoreState.scrubbed),), (), None,
         "store graph is scrubbed"),
        ((StoreReport(store="graph", state=StoreState.verified, n_left=2),), (), None,
         "store graph has 2 left"),
        ((StoreReport(store="files", state=StoreState.not_verifiable),), (), None,
         "store files does not say why it is not verifiable"),
        (STORES, ("memory.forgotten",), None, "undeclared place memory.forgotten"),
        (STORES, (), lambda v: mention(v, "open"), "1 mentions wait for a person"),
        (STORES, (), lambda v: mention(v, "failed"), "1 mentions wait for a person"),
        (STORES, (), break_the_log, "the audit log does not hold"),
    ],
)  # fmt: skip
def test_it_is_refused_by_cause_and_nothing_is_kept_of_the_attempt(
    verified: Verified,
    stores: tuple[StoreReport, ...],
    undeclared: tuple[str, ...],
    spoil: Callable[[Verified], None] | None,
    reason: str,
) -> None:
    if spoil is not None:
        spoil(verified)
    with pytest.raises(CertificateRefused) as refused:
        verified.issue(*stores, undeclared=undeclared)
    assert refused.value.reasons == (reason,)
    with pytest.raises(LookupError, match="no certificate"):
        certificate.certificate(verified.eraser, verified.request_id)


def test_masked_and_waived_mentions_do_not_stand_against_it(verified: Verified) -> None:
    for state in ("done", "dismissed"):
        verified.eraser.execute(
            "insert into memory.erasure_mention values (%s, %s, %s, %s, 9, %s)",
            (uuid.uuid4(), verified.request_id, verified.message_id, len(state), state),
        )
    counts = verified.issue()["counts"]
    assert (counts["mention masked"], counts["mention waived"]) == (1, 1)


def test_nothing_verified_and_an_unfinished_request_get_none(verified: Verified) -> None:
    other = uuid.uuid4()
    verified.eraser.execute(
        "insert into memory.erasure_request (request_id, tenant_id, ground, state)"
        " values (%s, %s, 'operator', 'scrubbed')",
        (other, verified.tenant),
    )
    with pytest.raises(CertificateRefused) as refused, verified.eraser.transaction():
        certificate.issue(verified.eraser, verified.tenant, other, (), ())
    assert refused.value.reasons == ("no store was verified", "the request is scrubbed")
