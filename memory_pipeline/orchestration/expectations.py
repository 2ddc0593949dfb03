"""Great Expectations suites as asset checks: run in the database, told in counts.

The specs are made from the JSON files alone. Great Expectations itself takes 7 s to import, so
all suites share one step and the import stands inside it.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import dagster as dg

from memory_pipeline.orchestration.resources import MemoryHome
from memory_pipeline.orchestration.safe_errors import RETRIES, without_content

FOLDER = Path(__file__).parents[2] / "expectations"
# what may be taken from a result; rows, values and queries may not
COUNTS = ("element_count", "unexpected_count", "missing_count", "unexpected_percent")


class SuiteError(ValueError):
    """A suite's file lacks something; the message names file and key."""


@dataclass(frozen=True)
class Suite:
    """One file of `expectations/`."""

    name: str
    asset: str
    schema: str
    table: str
    holds_content: bool
    expectations: tuple[Mapping[str, Any], ...]

    def spec(self, expectation: Mapping[str, Any]) -> dg.AssetCheckSpec:
        """The asset check of one expectation."""
        return dg.AssetCheckSpec(
            name=expectation["meta"]["check"],
            asset=dg.AssetKey(self.asset),
            description=expectation["description"],
            metadata={"suite": self.name, "expectation": expectation["type"]},
        )


def read_suite(path: Path) -> Suite:
    """Read a suite. Raises `SuiteError`."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        meta = raw["meta"]
        suite = Suite(
            name=raw["name"],
            asset=meta["asset"],
            schema=meta["schema"],
            table=meta["table"],
            holds_content=meta["holds_content"],
            expectations=tuple(raw["expectations"]),
        )
        for expectation in suite.expectations:
            suite.spec(expectation)
    except (KeyError, json.JSONDecodeError) as error:
        raise SuiteError(f"{path}: {type(error).__name__} {error}; see README.md there") from None
    return suite


@cache
def suites(folder: Path = FOLDER) -> tuple[Suite, ...]:
    """All suites, by file name. Raises `SuiteError`."""
    return tuple(read_suite(path) for path in sorted(folder.glob("*.json")))


def validate(
    url: str, suite: Suite, expectations: tuple[Mapping[str, Any], ...] | None = None
) -> Iterator[dg.AssetCheckResult]:
    """Validate a suite (or some of it) on the database at `url`, a `postgresql+psycopg2://` one.

    Raises what the database raises on connecting; an expectation that cannot be evaluated is a
    failed check that says so.
    """
    import great_expectations as gx
    from great_expectations.data_context.types.base import ProgressBarsConfig
    from great_expectations.expectations.expectation_configuration import ExpectationConfiguration

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    source = context.data_sources.add_postgres(
        "ledger", connection_string=url, create_temp_table=False
    )
    batch = (
        source.add_table_asset(suite.name, table_name=suite.table, schema_name=suite.schema)
        .add_batch_definition_whole_table("all")
        .get_batch()
    )
    for expectation in expectations or suite.expectations:
        result = batch.validate(
            ExpectationConfiguration(
                type=expectation["type"], kwargs=dict(expectation["kwargs"])
            ).to_domain_obj(),
            result_format="BOOLEAN_ONLY" if suite.holds_content else "BASIC",
        )
        yield _result(suite, expectation, result)


def _result(suite: Suite, expectation: Mapping[str, Any], result: Any) -> dg.AssetCheckResult:
    spec = suite.spec(expectation)
    raised = _raised(result.exception_info)
    metadata: dict[str, int | float | str] = {
        name: value
        for name in COUNTS
        if isinstance(value := (result.result or {}).get(name), int | float)
    }
    if isinstance(observed := (result.result or {}).get("observed_value"), int | float):
        metadata["observed"] = observed
    if raised:
        metadata["not_evaluated"] = "the expectation raised an error; run it by hand to see it"
    return dg.AssetCheckResult(
        check_name=spec.name,
        asset_key=spec.asset_key,
        passed=bool(result.success) and not raised,
        severity=(
            dg.AssetCheckSeverity.ERROR
            if expectation["severity"] == "critical"
            else dg.AssetCheckSeverity.WARN
        ),
        metadata=metadata,
    )


def _raised(info: Any) -> bool:
    # either one record, or one for each metric
    if not isinstance(info, Mapping):
        return False
    if "raised_exception" in info:
        return bool(info["raised_exception"])
    return any(map(_raised, info.values()))


@dg.multi_asset_check(
    name="expectations",
    specs=[suite.spec(expectation) for suite in suites() for expectation in suite.expectations],
    can_subset=True,
    retry_policy=RETRIES,
)
def expectations(
    context: dg.AssetCheckExecutionContext, memory_home: MemoryHome
) -> Iterator[dg.AssetCheckResult]:
    """All suites of `expectations/` in one step, as the builder reads the ledger."""
    selected = context.selected_asset_check_keys
    with without_content():
        url = memory_home.services.pg_uri("mem_builder", driver="postgresql+psycopg2")
        for suite in suites():
            wanted = tuple(
                expectation
                for expectation in suite.expectations
                if suite.spec(expectation).key in selected
            )
            if wanted:
                yield from validate(url, suite, wanted)
