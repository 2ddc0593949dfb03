"""The code location: what it holds, by what it depends, and that it loads."""

from datetime import timedelta
from pathlib import Path

import dagster as dg
import pytest

from memory_pipeline.definitions import assemble
from memory_pipeline.orchestration.executors import ExecutorSettingError, chosen_executor
from memory_pipeline.orchestration.partitions import ingest_days, today

# group, then what each asset is made from; dbt's models stand apart, they follow the project
GRAPH = {
    "log_files": ("ingestion", []),
    "messages": ("ingestion", ["log_files"]),
    "message_vectors": ("indexes", ["messages"]),
    "message_labels": ("atoms", ["message_vectors", "messages"]),
    "extracted_atoms": ("atoms", ["message_labels", "messages"]),
    "atom_vectors": ("indexes", ["atoms_current", "extracted_atoms"]),
    "full_text": ("indexes", ["atoms_current", "extracted_atoms"]),
    "memory_graph": ("indexes", ["atoms_current", "extracted_atoms"]),
    "context_snapshots": (
        "context",
        ["atom_vectors", "atoms_current", "full_text", "memory_graph", "message_vectors"],
    ),
    "quarantine": ("governance", ["extracted_atoms", "message_labels", "messages"]),
    "erasures": ("governance", ["extracted_atoms", "messages"]),
}
MARTS = {"atom_periods", "atoms_current", "atoms_as_of", "subject_profiles", "contradictions"}
CHECKS = {
    "messages": [
        "edited_after_sent",
        "languages_that_we_read",
        "most_messages_have_a_time",
        "no_message_from_the_future",
        "no_private_key_in_text",
        "no_provider_key_in_text",
        "no_text_over_the_limit",
        "time_agrees_with_its_source",
    ],
    "extracted_atoms": [
        "confidence_is_mostly_high",
        "dates_within_a_lifetime",
        "every_atom_has_evidence",
        "no_machine_speaks_as_human",
        "no_window_floods",
        "nothing_told_in_the_future",
    ],
    "quarantine": [
        "every_refusal_has_a_place",
        "few_records_are_refused",
        "reasons_are_closed_words",
    ],
    "atom_vectors": ["parity"],
    "full_text": ["parity"],
    "memory_graph": ["parity"],
}


@pytest.fixture(scope="module")
def location(home: Path) -> dg.Definitions:
    return assemble(home)


def test_the_code_location_loads_with_its_jobs_schedule_and_sensors(
    location: dg.Definitions,
) -> None:
    dg.Definitions.validate_loadable(location)
    repository = location.get_repository_def()
    assert sorted(job.name for job in repository.get_all_jobs() if job.name[0] != "_") == [
        "audit_head_job",
        "bulk_extraction_job",
        "context_snapshot_job",
        "erasure_job",
        "ingest_job",
        "rebuild_indexes_job",
        "retention_job",
    ]
    assert sorted(schedule.name for schedule in repository.schedule_defs) == [
        "daily_audit_head",
        "daily_retention",
        "hourly_ingest",
    ]
    assert sorted(sensor.name for sensor in repository.sensor_defs) == [
        "bulk_answers_sensor",
        "erasure_requests_sensor",
        "erasure_terms_notice",
        "failed_runs_notice",
        "new_logs_sensor",
        "quarantine_growth_notice",
        "snapshot_requests_sensor",
        "stale_assets_notice",
    ]


def test_the_graph_is_one_chain_from_logs_to_contexts(location: dg.Definitions) -> None:
    graph = location.resolve_asset_graph()
    found = {
        key.to_user_string(): (
            graph.get(key).group_name,
            sorted(parent.to_user_string() for parent in graph.get(key).parent_keys),
        )
        for key in graph.get_all_asset_keys()
    }
    models = {name for name, (group, _) in found.items() if group == "bitemporal"}
    assert {name: facts for name, facts in found.items() if name not in models} == GRAPH
    assert models >= MARTS
    # every model hangs on the ledger through assets of ours, and none is left in the air
    assert all(found[name][1] for name in models)
    assert not [key for key in graph.get_all_asset_keys() if graph.get(key).is_external]
    assert {
        key.to_user_string()
        for key in graph.get_all_asset_keys()
        if graph.get(key).partitions_def is not None
    } == {"log_files", "messages", "message_labels", "extracted_atoms"}


def test_suites_parity_and_dbt_tests_are_asset_checks(location: dg.Definitions) -> None:
    graph = location.resolve_asset_graph()
    found: dict[str, list[str]] = {}
    for check in graph.asset_check_keys:
        found.setdefault(check.asset_key.to_user_string(), []).append(check.name)
    dbt = {asset: found.pop(asset) for asset in set(found) - set(CHECKS)}
    assert {asset: sorted(names) for asset, names in found.items()} == CHECKS
    assert "atom_periods" in dbt


def test_every_asset_says_whose_it_is_what_it_is_and_how_fresh(location: dg.Definitions) -> None:
    for spec in location.resolve_all_asset_specs():
        name = spec.key.to_user_string()
        assert list(spec.owners) == ["team:memory"], name
        assert spec.description, name
        assert spec.kinds, name
        assert spec.freshness_policy or name == "context_snapshots", name
        assert spec.automation_condition is None, f"{name} would be started twice"


def test_partitions_run_from_the_installations_first_day_to_today(tmp_path: Path) -> None:
    assert ingest_days(tmp_path).get_partition_keys() == [today().isoformat()]
    (tmp_path / "dagster" / "first_day").write_text((today() - timedelta(days=2)).isoformat())
    keys = ingest_days(tmp_path).get_partition_keys()
    assert (len(keys), keys[-1]) == (3, today().isoformat())


def test_the_executor_is_chosen_by_name_and_a_wrong_name_says_what_to_set() -> None:
    assert chosen_executor("") is dg.in_process_executor
    assert chosen_executor("dagster:multiprocess_executor") is dg.multiprocess_executor
    for wrong in ("dagster:Definitions", "dagster:nothing", "no.such.module:executor", "dagster"):
        with pytest.raises(ExecutorSettingError, match="MEMORY_PIPELINE_EXECUTOR"):
            chosen_executor(wrong)
