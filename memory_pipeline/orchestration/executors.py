"""Which executor runs the steps, by configuration: `MEMORY_PIPELINE_EXECUTOR=module:attribute`.

Without it steps run one after the other in the run's own process: three empty steps take 0.4 s
so, and 23 s with a process each, since every process imports everything again.
"""

import importlib
import os

import dagster as dg

VARIABLE = "MEMORY_PIPELINE_EXECUTOR"


class ExecutorSettingError(ValueError):
    """The setting does not name a Dagster executor."""


def chosen_executor(name: str | None = None) -> dg.ExecutorDefinition:
    """The executor that `name` (default: the environment) says, else the in-process one.

    Raises `ExecutorSettingError` that names the variable and what it should hold.
    """
    wanted = os.environ.get(VARIABLE, "") if name is None else name
    if not wanted:
        return dg.in_process_executor
    module, _, attribute = wanted.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ExecutorSettingError(
            f"{VARIABLE}={wanted} cannot be imported ({type(error).__name__}); it takes "
            "module:attribute, for example dagster:multiprocess_executor or "
            "dagster_k8s:k8s_job_executor, from an installed package"
        ) from None
    if not isinstance(found, dg.ExecutorDefinition):
        raise ExecutorSettingError(
            f"{VARIABLE}={wanted} is a {type(found).__name__}, not a dagster.ExecutorDefinition"
        )
    return found
