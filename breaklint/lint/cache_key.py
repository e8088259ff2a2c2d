"""The name of a cache: all that results depend on besides files that are checked and followed."""

from __future__ import annotations

import json
import os
import sys
from functools import cache
from importlib.util import source_hash  # as in Python's .pyc files: hashlib takes 4 MB and 10 ms to import
from pathlib import Path

from breaklint.lint.cache_files import stamp
from breaklint.lint.workers import Worker
from breaklint.project.environment import Environment
from breaklint.project.folders import Folders
from breaklint.source.resources import rules_dir

CODE = (".py", ".json")


def key_of(worker: Worker) -> str:
    """The name of the cache of a worker."""
    settings = worker.settings
    places = (rules_dir(), *map(Path, settings.rules))
    cards = [path for place in places for path in (sorted(place.glob("*.yaml")) if os.path.isdir(place) else [place])]
    installed = Environment(settings.environment, Folders()).roots
    stamps = [_code(), *((path, stamp(path)) for path in map(str, cards))]
    parts = [sys.version, os.getcwd(), worker.roots, worker.mode.edits, settings, installed, stamps]
    return source_hash(json.dumps(parts).encode()).hex()


@cache
def _code() -> list[tuple[str, list[int] | None]]:
    """The stamps of breaklint's own files: once, as this process goes on with the code that it has loaded."""
    walked = os.walk(Path(__file__).parents[1])
    paths = sorted(os.path.join(at, name) for at, _, names in walked for name in names if name.endswith(CODE))
    return [(path, stamp(path)) for path in paths]
