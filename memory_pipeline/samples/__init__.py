"""The project's own sample logs, Russian and English, which the demo ingests. All in them is made up."""

from importlib.resources import files
from pathlib import Path


def sample_files() -> list[Path]:
    """Return the paths of the sample logs (JSON Lines, a message a line), sorted by name."""
    folder = Path(str(files(__name__)))
    return sorted(folder.glob("*.jsonl"))
