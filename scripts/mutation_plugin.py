"""A pytest plugin for mutation_score.py: records which test enters which function, or runs only certain tests.

MUTATION_RECORD names the file for the record: `{test: ["breaklint/lint/merging.py:merged", …]}`. MUTATION_TESTS names a
file with the ids of the tests to run, and MUTATION_FAILED the file for the ids of those that fail.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

PACKAGE = f"{os.sep}breaklint{os.sep}"
entered: dict[str, set[str]] = {}
failed: list[str] = []
_now: set[str] = set()


def _enter(code: CodeType, *_: Any) -> Any:
    if code.co_filename.startswith(str(Path.cwd())) and PACKAGE in code.co_filename:
        path = os.path.relpath(code.co_filename, Path.cwd())
        _now.add(f"{path}:{code.co_name}")
    return sys.monitoring.DISABLE if sys.version_info >= (3, 12) else None


def pytest_sessionstart() -> None:
    """Listen to the calls of functions."""
    if "MUTATION_RECORD" not in os.environ:
        return
    if sys.version_info >= (3, 12):
        watch = sys.monitoring
        watch.use_tool_id(watch.COVERAGE_ID, "mutation")
        watch.register_callback(watch.COVERAGE_ID, watch.events.PY_START, _enter)
        watch.set_events(watch.COVERAGE_ID, watch.events.PY_START)
    else:
        sys.setprofile(lambda frame, event, _: _enter(frame.f_code) if event == "call" else None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave only the tests that are named."""
    if path := os.environ.get("MUTATION_TESTS"):
        expected = set(json.loads(Path(path).read_text("utf-8")))
        items[:] = [item for item in items if item.nodeid in expected]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Record the functions that one test enters, with its fixtures."""
    _now.clear()
    if sys.version_info >= (3, 12) and "MUTATION_RECORD" in os.environ:
        sys.monitoring.restart_events()
    yield
    entered[item.nodeid] = set(_now)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a failure."""
    if report.failed:
        failed.append(report.nodeid)


def pytest_sessionfinish() -> None:
    """Write both records."""
    if path := os.environ.get("MUTATION_RECORD"):
        sys.setprofile(None)
        Path(path).write_text(json.dumps({test: sorted(names) for test, names in entered.items()}), "utf-8")
    if path := os.environ.get("MUTATION_FAILED"):
        Path(path).write_text(json.dumps(list(dict.fromkeys(failed))), "utf-8")
