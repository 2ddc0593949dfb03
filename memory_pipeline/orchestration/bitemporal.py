"""dbt's models as assets: what held when, as known when."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import dagster as dg
import psycopg
from dagster_dbt import (
    DagsterDbtTranslator,
    DagsterDbtTranslatorSettings,
    DbtProject,
    dbt_assets,
)

from memory_pipeline.orchestration import measures
from memory_pipeline.orchestration.atoms import extracted_atoms, message_labels
from memory_pipeline.orchestration.dbt_build import build
from memory_pipeline.orchestration.dbt_project import prepare_manifest
from memory_pipeline.orchestration.groups import BITEMPORAL, DBT, HOURLY, OWNERS
from memory_pipeline.orchestration.ingestion import LOG_FILES, MESSAGES
from memory_pipeline.orchestration.resources import MemoryHome
from memory_pipeline.orchestration.safe_errors import RETRIES, without_content

# dbt's sources are tables of the ledger; each belongs to the asset that fills it
FILLED_BY: Mapping[str, dg.AssetKey] = {
    "log_file": LOG_FILES,
    "file_read": LOG_FILES,
    "label": message_labels.key,
    "message_importance": message_labels.key,
}
STORED = ("table", "incremental")
MESSAGE_TABLES = ("message", "dialog", "entity", "name", "secret", "tenant", "audience", "batch")


def filled_by(table: str) -> dg.AssetKey:
    """The asset that fills a table of the ledger."""
    if table in FILLED_BY:
        return FILLED_BY[table]
    return MESSAGES if table.startswith(MESSAGE_TABLES) else extracted_atoms.key


class LedgerTranslator(DagsterDbtTranslator):
    """Ties dbt's sources to the assets that fill them, and gives models group and owner."""

    def __init__(self) -> None:
        super().__init__(
            DagsterDbtTranslatorSettings(
                enable_duplicate_source_asset_keys=True, enable_source_tests_as_checks=False
            )
        )

    def get_asset_key(self, dbt_resource_props: Mapping[str, Any]) -> dg.AssetKey:
        """Sources by the asset that fills them, models by their name, which dbt keeps unique."""
        if dbt_resource_props["resource_type"] == "source":
            return filled_by(dbt_resource_props["name"])
        return dg.AssetKey(dbt_resource_props["name"])

    def get_asset_spec(
        self, manifest: Mapping[str, Any], unique_id: str, project: DbtProject | None
    ) -> dg.AssetSpec:
        """The model's spec in this project's terms."""
        spec = super().get_asset_spec(manifest, unique_id, project)
        if unique_id.startswith("source."):
            return spec
        return spec.replace_attributes(
            group_name=BITEMPORAL, owners=OWNERS, freshness_policy=HOURLY
        )


def counted(event: Any, manifest: Mapping[str, Any], connection: psycopg.Connection) -> Any:
    """The event of a stored model with its rows counted; every other event as it is.

    Views are not counted: that would resolve the whole store.
    """
    if not isinstance(event, dg.Output):
        return event
    node = manifest["nodes"].get(event.metadata["unique_id"].value)
    if node is None or node["config"]["materialized"] not in STORED:
        return event
    n_rows = measures.n_rows(connection, node["schema"], node["alias"])
    return event.with_metadata({**event.metadata, "dagster/row_count": n_rows})


@cache
def bitemporal_models(home: Path) -> dg.AssetsDefinition:
    """The models of the dbt project as one step; prepares the manifest in `home`."""

    manifest: Mapping[str, Any] = json.loads(prepare_manifest(home).read_bytes())

    @dbt_assets(
        manifest=manifest,
        name="bitemporal_models",
        dagster_dbt_translator=LedgerTranslator(),
        pool=DBT,
        retry_policy=RETRIES,
    )
    def models(context: dg.AssetExecutionContext, memory_home: MemoryHome) -> Iterator[Any]:
        """`dbt build` without unit tests, which prove the models' logic once, not each run."""
        with without_content(), memory_home.counting() as connection:
            for event in build(context, memory_home.services):
                yield counted(event, manifest, connection)

    return models
