"""Names and zones of a tenant: who bore a name at an earlier record, and what a zone that is none does."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.pipeline import Pipeline
from tests.scenario import Scenario, message, objects


def test_a_name_is_asked_for_as_it_was_recorded_whoever_bears_it_since(
    services: Services, tmp_path: Path
) -> None:
    scenario = Scenario(ready(services.home.path), tmp_path)
    scenario.tell(message("Ann", "2025-03-03T10:00+03:00", "I live in Leeds", dialog_id="r1"))
    then = datetime.now(UTC)
    scenario.tell(message("Ann", "2025-04-03T10:00+03:00", "I live in York", dialog_id="r2"))
    with scenario.memory() as memory:
        assert objects(memory, "Ann", "location", recorded_at=then.isoformat()) == ["Leeds"]
        assert objects(memory, "Ann", "location", recorded_at="2020-01-01") == []
        assert objects(memory, "Ann", "location") == ["York"]


def test_a_zone_that_is_none_is_refused_and_not_kept(services: Services, tmp_path: Path) -> None:
    scenario = Scenario(ready(services.home.path), tmp_path)
    with pytest.raises(ValueError, match="no time zone 'Moscow'"):
        Pipeline.open(scenario.services, scenario.tenant, "Moscow")
    scenario.tell(message("Ann", "2025-03-03T10:00+03:00", "I live in Leeds"))
    with scenario.memory() as memory:
        assert objects(memory, "Ann", "location") == ["Leeds"]


@pytest.mark.parametrize("name", ["", "..", "../other", "a/b"])
def test_a_tenant_whose_name_leads_out_of_its_folder_is_not_made(
    services: Services, name: str
) -> None:
    with pytest.raises(ValueError, match="names no tenant"):
        Pipeline.open(ready(services.home.path), name)


def test_audiences_are_a_list_of_names_and_not_the_letters_of_one(
    services: Services, tmp_path: Path
) -> None:
    scenario = Scenario(ready(services.home.path), tmp_path)
    scenario.tell(message("Ann", "2025-03-03T10:00+03:00", "I live in Leeds"))
    with scenario.memory() as memory, pytest.raises(ValueError, match="as a list"):
        memory.remember("Ann", "tool", "Vim", audiences="team")
