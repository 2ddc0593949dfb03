"""Random credentials of one home, in one file that only the home's account can read."""

import secrets
import threading
from pathlib import Path
from typing import Any

from memory_pipeline.local.files import read_json, write_json


class Credentials:
    """The credentials file: sections of named values. Its repr shows no value."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._guard = threading.Lock()
        self._values = read_json(path)

    def __repr__(self) -> str:
        return f"Credentials({str(self._path)!r})"

    def get(self, section: str, name: str) -> str | None:
        """The value, or None where there is none."""
        value = self._values.get(section, {}).get(name)
        return None if value is None else str(value)

    def section(self, section: str) -> dict[str, Any]:
        """A copy of a section's values."""
        return dict(self._values.get(section, {}))

    def put(self, section: str, **values: Any) -> None:
        """Keep values, None removes one; on disk when this returns."""
        with self._guard:
            # another process of this home may have added a login since this one read the file
            self._values = read_json(self._path)
            kept = self._values.setdefault(section, {})
            for name, value in values.items():
                if value is None:
                    kept.pop(name, None)
                else:
                    kept[name] = value
            write_json(self._path, self._values)

    def ensure_random(self, section: str, name: str) -> str:
        """The value, made at random (192 bits) and kept where there is none."""
        value = self.get(section, name)
        if value is None:
            value = secrets.token_urlsafe(24)
            self.put(section, **{name: value})
        return value
