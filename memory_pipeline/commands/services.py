"""Commands about the services of the home."""

import typer

from memory_pipeline.commands.options import AsJson
from memory_pipeline.commands.outcome import Exit
from memory_pipeline.commands.output import print_json, say
from memory_pipeline.commands.session import ready


def up() -> None:
    """Start the services of the home and bring its schema up to date."""
    services = ready()
    say(f"home {services.home.path}: services are up")


def down() -> None:
    """Stop the services of the home."""
    from memory_pipeline.local.services import stop

    stopped = stop()
    say(f"stopped: {', '.join(stopped) or 'nothing ran'}")


def status(as_json: AsJson = False) -> None:
    """What runs and which external servers answer, without starting anything."""
    from memory_pipeline.local.services import status as read_status

    found = read_status()
    if as_json:
        print_json(found)
        return
    say(f"home    {found['home']}\ndatabase {found['pg_url'] or '-'}")
    for name, facts in found["services"].items():
        version, why = facts.get("version") or "", facts.get("reason")
        say(f"{name:9} {facts['state']:11} {version:12} {facts['address'] or ''}")
        if why:
            say(f"          -> {why}")


def doctor(as_json: AsJson = False) -> None:
    """Which services are reachable, their versions, and which guarantees they allow."""
    from memory_pipeline.local.doctor import doctor as examine
    from memory_pipeline.local.services import started

    services = started()
    unready: Exception | None = None
    try:
        services = ready()
    except Exception as error:  # noqa: BLE001 - raised below, unless a finding says what it is
        unready = error
    findings = examine(services)
    if as_json:
        print_json([finding.model_dump(mode="json") for finding in findings])
    else:
        for finding in findings:
            line = f"{finding.verdict:8} {finding.service:9} {finding.check}: {finding.value}"
            say(line + (f"\n         -> {finding.remedy}" if finding.remedy else ""))
    if any(finding.verdict == "failed" for finding in findings):
        raise typer.Exit(Exit.check_failed)
    if unready is not None:
        raise unready
