"""One `dbt build` inside a run: its events as Dagster's, without dbt's words about rows."""

import contextlib
import io
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import dagster as dg
from dagster_dbt import DagsterDbtTranslator, DbtCliInvocation
from dagster_dbt.asset_utils import (
    DBT_INDIRECT_SELECTION_ENV,
    get_updated_cli_invocation_params_for_context,
)
from packaging.version import Version

from memory_pipeline.local.services import Services
from memory_pipeline.orchestration.dbt_project import (
    BUILD,
    PROJECT,
    DbtError,
    build_environment,
    build_folder,
    failed_nodes,
)


def build(context: dg.AssetExecutionContext, services: Services) -> Iterator[Any]:
    """One `dbt build` of what the run selected: the events of its models and tests.

    Raises `DbtError` that names the failed nodes, after the events of the others.
    """
    with build_folder(services.home.path) as written:
        invocation = _start(context, services, written)
        # all at once: what dbt prints may quote rows, so it goes nowhere meanwhile
        with contextlib.redirect_stdout(io.StringIO()):
            events = list(invocation.stream())
        yield from events
        returncode = invocation.process.wait()
        if returncode:
            raise DbtError(failed_nodes(written, returncode))


def _start(
    context: dg.AssetExecutionContext, services: Services, written: Path
) -> DbtCliInvocation:
    """What `DbtCliResource.cli` does, with two differences: the password goes to dbt alone and
    not into this process's environment, and no dbt is loaded here for counts of rows (3 s)."""
    parameters = get_updated_cli_invocation_params_for_context(
        context=context.op_execution_context,
        manifest={},
        dagster_dbt_translator=DagsterDbtTranslator(),
    )
    environment = {
        **build_environment(services, written),
        "DAGSTER_DBT_CLI": "true",
        "PYTHONUNBUFFERED": "1",
        "DBT_LOG_FORMAT": "json",
    }
    if parameters.indirect_selection:
        environment[DBT_INDIRECT_SELECTION_ENV] = parameters.indirect_selection
    return DbtCliInvocation.run(
        args=[*BUILD, *parameters.selection_args],
        env=environment,
        manifest=parameters.manifest,
        dagster_dbt_translator=parameters.dagster_dbt_translator,
        project_dir=PROJECT,
        target_path=written,
        raise_on_error=False,
        context=context,
        adapter=None,
        cli_version=Version(version("dbt-core")),
    )
