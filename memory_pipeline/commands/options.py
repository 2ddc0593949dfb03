"""Options that several commands take."""

from typing import Annotated

import typer

As = Annotated[str, typer.Option("--as", help="Login to work as.")]
Tenant = Annotated[str, typer.Option("--tenant", help="Tenant to work in.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON of a documented shape.")]
ValidAt = Annotated[
    str | None, typer.Option("--valid-at", help="Moment in the world; default now.")
]
KnownAt = Annotated[
    str | None, typer.Option("--known-at", help="What the agent had been told by then.")
]
RecordedAt = Annotated[
    str | None, typer.Option("--recorded-at", help="What this store held by then.")
]
Reason = Annotated[str | None, typer.Option("--reason", help="Why; kept with the statement.")]
