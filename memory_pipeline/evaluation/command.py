"""`memory-pipeline eval`: how well understanding does on a file of records."""

from pathlib import Path
from typing import Annotated

import typer

from memory_pipeline.commands.output import say

eval_app = typer.Typer(
    help="Predict over a file of records, and score where it has labels.", no_args_is_help=True
)

Data = Annotated[Path, typer.Option("--data", help="JSON Lines; records without labels too.")]
Predictions = Annotated[
    Path | None, typer.Option("--predictions", help="File for what was said, a line a record.")
]
KeptApart = Annotated[
    bool,
    typer.Option(
        "--kept-apart",
        help="Report beside the whole the third of the project's labelled sets on which rules"
        " were not developed.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the reports as JSON.")]


@eval_app.command("importance")
def importance(data: Data, predictions: Predictions = None, as_json: AsJson = False) -> None:
    """CRITICAL, RELEVANT, TRIVIAL: as the shipped model says, and cross-validated where it was
    trained on these records."""
    _evaluate("importance", data, predictions, False, as_json)


@eval_app.command("facts")
def facts(
    data: Data,
    predictions: Predictions = None,
    kept_apart: KeptApart = False,
    as_json: AsJson = False,
) -> None:
    """Atoms, their dates and questions answered, through a database of its own."""
    _evaluate("facts", data, predictions, kept_apart, as_json)


@eval_app.command("dates")
def dates(
    data: Data,
    predictions: Predictions = None,
    kept_apart: KeptApart = False,
    as_json: AsJson = False,
) -> None:
    """Intervals that the texts name."""
    _evaluate("dates", data, predictions, kept_apart, as_json)


@eval_app.command("sensitive")
def sensitive(
    data: Data,
    predictions: Predictions = None,
    kept_apart: KeptApart = False,
    as_json: AsJson = False,
) -> None:
    """Secret and personal values, by span and type."""
    _evaluate("sensitive", data, predictions, kept_apart, as_json)


@eval_app.command("events")
def events(data: Data, predictions: Predictions = None, as_json: AsJson = False) -> None:
    """Events: what happened or is arranged, who takes part, and when."""
    _evaluate("events", data, predictions, False, as_json)


@eval_app.command("readers")
def readers(
    data: Annotated[
        Path,
        typer.Option(
            "--data",
            help="Folder of logs; what they should give lies beside them as target.json or"
            " NAME.expected.jsonl, where it is known.",
        ),
    ],
    predictions: Predictions = None,
    as_json: AsJson = False,
) -> None:
    """Messages that the logs of a folder give: in order, with times and speakers."""
    from memory_pipeline.evaluation import run
    from memory_pipeline.evaluation.report import markdown

    reports = run.evaluate_readers(data, predictions, quiet=as_json)
    say(run.as_json(reports) if as_json else markdown(reports))


@eval_app.command("all")
def everything(
    data: Annotated[
        Path,
        typer.Option(
            "--data",
            help="Folder of importance.jsonl, facts.jsonl, dates.jsonl, sensitive.jsonl and a folder"
            " chat_exports; those that are there are used.",
        ),
    ],
    report: Annotated[
        Path, typer.Option("--report", help="Markdown to write; JSON goes beside it.")
    ] = Path("evaluation.md"),
    as_json: AsJson = False,
) -> None:
    """Everything above in one report, the parts kept apart beside the whole."""
    from memory_pipeline.evaluation import run
    from memory_pipeline.evaluation.report import summary

    reports = run.evaluate_all(data, quiet=as_json)
    run.write_report(reports, report)
    say(run.as_json(reports) if as_json else summary(reports))


def _evaluate(
    name: str, data: Path, predictions: Path | None, kept_apart: bool, as_json: bool
) -> None:
    from memory_pipeline.evaluation import run
    from memory_pipeline.evaluation.report import markdown

    reports = run.evaluate(name, data, predictions, kept_apart=kept_apart, quiet=as_json)
    say(run.as_json(reports) if as_json else markdown(reports))
