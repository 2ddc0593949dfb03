"""What the assets share: owner, groups, pools, freshness."""

from datetime import timedelta

import dagster as dg

OWNERS = ("team:memory",)

INGESTION = "ingestion"
ATOMS = "atoms"
BITEMPORAL = "bitemporal"
INDEXES = "indexes"
CONTEXT = "context"
GOVERNANCE = "governance"

# each pool has one slot unless the instance gives it more: two cores, one writer an index
MODELS = "models"
DBT = "dbt_postgres"
GRAPH = "graph"

# the schedule runs hourly; one missed hour warns, two fail
HOURLY = dg.FreshnessPolicy.time_window(
    fail_window=timedelta(hours=3), warn_window=timedelta(hours=2)
)

DAYS_BEFORE_DUE = 3
"""From how many days before its term a request to erase is spoken of."""
