"""The one resource: a home, whose services start when a step first asks for them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import dagster as dg
import psycopg
from pydantic import Field, PrivateAttr

from memory_pipeline.orchestration.safe_errors import without_content

if TYPE_CHECKING:
    from memory_pipeline.local.services import Services
    from memory_pipeline.pipeline import Pipeline


class MemoryHome(dg.ConfigurableResource):  # type: ignore[type-arg]
    """An installation's folder and one tenant of it. Passwords stay in the home, never here."""

    home: str = Field(
        default="", description="The installation's folder; empty: MEMORY_PIPELINE_HOME."
    )
    tenant: str = Field(default="default", description="The tenant whose logs are worked on.")

    _services: "Services | None" = PrivateAttr(default=None)

    @property
    def services(self) -> "Services":
        """The home's services, started and migrated where they were not."""
        if self._services is None:
            from memory_pipeline.installation import ready

            self._services = ready(Path(self.home) if self.home else None)
        return self._services

    @contextmanager
    def pipeline(self, tenant: str | None = None) -> Iterator["Pipeline"]:
        """The stages of the main job, for this tenant or another one. Errors come out without
        content."""
        from memory_pipeline.pipeline import Pipeline

        with without_content(), Pipeline.open(self.services, tenant or self.tenant) as opened:
            yield opened

    @contextmanager
    def counting(self) -> Iterator[psycopg.Connection]:
        """A connection for counts: the builder's, read-only. Errors come out without content."""
        with (
            without_content(),
            psycopg.connect(self.services.pg_dsn("mem_builder"), autocommit=True) as connection,
        ):
            connection.read_only = True
            yield connection
