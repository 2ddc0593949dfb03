"""Dagster's side: assets, checks, jobs, schedules and sensors that call the domain packages."""
