"""A pytest plugin for mutation_score.py: which test runs which line, and running only certain tests."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from coverage import Coverage

ONLY = "MUTATION_TESTS"  # a JSON file with the node ids of the tests to run


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the tests that are named."""
    if named := os.environ.get(ONLY):
        wanted = set(json.loads(Path(named).read_text("utf-8")))
        items[:] = [item for item in items if item.nodeid in wanted]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item):  # type: ignore[no-untyped-def]
    """What a test runs is noted under its name."""
    measured = Coverage.current()
    if measured is not None:
        measured.switch_context(item.nodeid)
    yield
    if measured is not None:
        measured.switch_context("")
