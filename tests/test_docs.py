"""The README names every command, setting, ground of erasure and exit code that there is, and none
that there is not."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from memory_pipeline.cli import Exit, app
from memory_pipeline.contracts.erasure import Ground
from memory_pipeline.settings import described

README = Path(__file__).parents[1] / "README.md"


@pytest.fixture(scope="module")
def readme() -> str:
    if not README.exists():
        pytest.skip("there is no README.md yet")
    return README.read_text(encoding="utf-8")


def commands(command: Any, path: str) -> list[str]:
    """Every command below one, as it is typed."""
    if not hasattr(command, "commands"):  # a version of typer brings classes of click of its own
        return [path]
    named = [c for name, sub in command.commands.items() for c in commands(sub, f"{path} {name}")]
    return ([path] if command.invoke_without_command else []) + named


COMMANDS = commands(typer.main.get_command(app), "memory-pipeline")


def test_every_command_is_documented(readme: str) -> None:
    assert "memory-pipeline atom add" in COMMANDS
    missing = [c for c in COMMANDS if not re.search(rf"{re.escape(c)}\b", readme)]
    assert missing == []


def test_every_documented_command_exists(readme: str) -> None:
    groups = {c.rsplit(" ", 1)[0] for c in COMMANDS} - {"memory-pipeline"}
    typed = set(
        re.findall(r"(?:^|`|\$ )(memory-pipeline [a-z_]+(?: [a-z_]+)?)", readme, re.MULTILINE)
    )
    unknown = [
        line for line in typed
        if line not in COMMANDS
        and (line.rsplit(" ", 1)[0] not in COMMANDS or line.rsplit(" ", 1)[0] in groups)
        and line not in groups
    ]  # fmt: skip
    assert unknown == []


def test_every_command_that_is_named_without_the_program_exists(readme: str) -> None:
    typed = {c.removeprefix("memory-pipeline ") for c in COMMANDS}
    groups = {c.split(" ")[0] for c in typed if " " in c}
    named = {
        f"{group} {name}"
        for group, name in re.findall(r"`([a-z]+) ([a-z]+)\b", readme)
        if group in groups
    }
    assert "erase cancel" in named
    assert sorted(named - typed) == []


def test_every_ground_has_its_term_documented(readme: str) -> None:
    rows = re.findall(r"(?m)^\| (`.+`) \| .*\|$", readme.partition("**Terms by ground**")[2])
    grounds = {ground for row in rows for ground in re.findall(r"`([a-z_]+)`", row)}
    assert {str(ground) for ground in Ground} <= grounds


def test_every_setting_is_documented_and_no_other(readme: str) -> None:
    settings = {doc.variable for doc in described()}
    assert [name for name in sorted(settings) if name not in readme] == []
    named = set(re.findall(r"\b(?:MEMORY_[A-Z0-9_]+|OPENAI_[A-Z_]+)\b", readme))
    assert sorted(named - settings - {"MEMORY_PIPELINE_SHARED_DATA"}) == []


def test_every_exit_code_is_documented(readme: str) -> None:
    listed = re.search(r"(?ims)^\W*exit codes\b.*?\n\n", readme)
    assert listed
    assert set(map(int, re.findall(r"\b\d+\b", listed[0]))) == {code.value for code in Exit}


def test_every_make_target_in_the_readme_exists(readme: str) -> None:
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"(?m)^([a-z0-9-]+):", makefile))
    assert sorted(set(re.findall(r"\bmake ([a-z][a-z0-9-]*)\b", readme)) - targets) == []


def test_the_readme_names_no_machine_and_no_package_index(readme: str) -> None:
    assert not re.search(
        r"(?<![\w~.)>])/(?:home|root|tmp|work)\b|index-url|://\S+/simple\b", readme
    )
