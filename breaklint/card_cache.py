"""Parsed cards kept as JSON, because YAML is a hundred times slower to read.

The cache is keyed by the cards' paths, sizes and modification times and by the code that parses them, so it is never
stale; a cache that cannot be read or written is as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_PARSERS = tuple(Path(__file__).with_name(name) for name in ("cards.py", "card_schema.py", "model.py"))


def read_cached(paths: Sequence[Path]) -> list[dict[str, Any]] | None:
    """The parsed cards of exactly these files, or None."""
    try:
        found: list[dict[str, Any]] = json.loads(_location(paths).read_bytes())
    except (OSError, ValueError):
        return None
    return found


def write_cached(paths: Sequence[Path], cards: list[dict[str, Any]]) -> None:
    """Keep the parsed cards of these files."""
    import tempfile  # slow to import, and needed once only

    location = _location(paths)
    with contextlib.suppress(OSError):
        location.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=location.parent)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(cards, file)
        Path(temporary).replace(location)


def _location(paths: Sequence[Path]) -> Path:
    key = hashlib.sha256()
    for path in (*_PARSERS, *paths):
        status = path.stat()
        key.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "breaklint" / f"cards-{key.hexdigest()[:16]}.json"
