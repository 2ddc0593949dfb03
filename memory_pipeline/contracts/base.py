"""What all contracts share: frozen, closed to unknown fields, versioned."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict


class Contract(BaseModel):
    """A record that crosses a module's border. Raises `pydantic.ValidationError` on bad input."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    contract_version: ClassVar[int] = 1
