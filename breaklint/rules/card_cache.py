"""Parsed cards cached as JSON, because YAML is a hundred times slower to read.

The cache contains the paths, sizes and modification times of the cards and of the code that parses them, so that it is
never used for other cards. A cache that cannot be read or written is ignored.
"""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from breaklint.model import Rule
from breaklint.source.resources import user_cache

_CODE = ("rules/cards.py", "rules/card_parsing.py", "rules/card_schema.py", "model.py")
_PARSERS = tuple(Path(__file__).parents[1] / name for name in _CODE)


def read_cached(paths: Sequence[Path]) -> list[list[Any]] | None:
    """The parsed cards of exactly these files, each as the fields of its rule, or None."""
    key = _key(paths)
    try:
        stored_key, _, cards = _location(key).read_bytes().partition(b"\n")
        results: list[list[Any]] | None = json.loads(cards) if stored_key == key else None
    except (OSError, ValueError):
        return None
    return results


def write_cached(paths: Sequence[Path], cards: Sequence[Rule]) -> None:
    """Keep the parsed cards of these files."""
    import tempfile  # slow to import, and needed once only

    key = _key(paths)
    with contextlib.suppress(OSError):
        location = _location(key)
        location.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=location.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(key + b"\n" + json.dumps(cards).encode())
        Path(temporary).replace(location)


def _key(paths: Sequence[Path]) -> bytes:
    """The versions of the cards and their parsers, on one line."""
    status = [(str(path), path.stat()) for path in (*_PARSERS, *paths)]
    return json.dumps([(path, result.st_size, result.st_mtime_ns) for path, result in status]).encode()


def _location(key: bytes) -> Path:
    """The cache file of a key; two keys may share it, because importing `hashlib` is too slow.

    Raises FileNotFoundError if the user has no folder for caches.
    """
    folder = user_cache()
    if folder is None:
        raise FileNotFoundError("no home folder")
    return folder / f"cards-{zlib.crc32(key):08x}.json"
