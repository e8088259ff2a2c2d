"""A suite of tests that do whatever tests do, with and without observe, in one process and in two of pytest-xdist."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from harness import FEW_PLUGINS, INSTALLED_TORCH, PROJECT

ATTACKED = Path(__file__).with_name("attacked")
FILES = ("net.py", "loose.py", "strict.py")
SUITES = ("suite_strict.py", "suite.py")  # whose last test ends its process
NOT_PASSED = {"test_fails": "failure", "test_expected_to_fail": "skipped", "test_skipped": "skipped"}
_EXPECTED = re.compile(r"# (BRK\d+) (confirmed|unreached|null)(.*)$")


class Attacked(NamedTuple):
    """How each test ended, what breaklint said of the run, and the findings with what was observed of each."""

    outcomes: Mapping[str, str]
    out: str
    findings: list[dict[str, Any]]


def run(folder: Path, *options: str) -> Attacked:
    for name in (*FILES, *SUITES):
        shutil.copy(ATTACKED / name, folder)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "BREAKLINT_"))}
    environment = {**kept, **FEW_PLUGINS, "PYTHONPATH": os.pathsep.join([str(PROJECT), str(folder)])}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml", "results.xml", *options]
    done = subprocess.run([*command, *SUITES], cwd=folder, env=environment, capture_output=True, text=True)
    cases = ElementTree.parse(folder / "results.xml").iter("testcase")
    outcomes = {
        each.attrib["name"]: ",".join(child.tag for child in each if "system" not in child.tag) for each in cases
    }
    options = ["--isolated", "--target-torch", INSTALLED_TORCH, "--output-format", "json"]
    command = [sys.executable, "-m", "breaklint", "check", *options, *FILES]
    checked = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return Attacked(outcomes, done.stdout + done.stderr, json.loads(checked.stdout))


@pytest.fixture(
    scope="module",
    params=[pytest.param((), id="one process"), pytest.param(("-n", "2"), marks=pytest.mark.nightly, id="xdist")],
)
def attacked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Attacked:
    return run(tmp_path_factory.mktemp("attacked"), "--breaklint-observe", *request.param)


@pytest.mark.nightly
def test_without_observe_the_suite_ends_as_is_said_here(tmp_path: Path) -> None:
    assert {name: end for name, end in run(tmp_path).outcomes.items() if end} == NOT_PASSED


def test_every_test_ends_as_without(attacked: Attacked) -> None:
    ended = {"test_process_that_ends", "suite.py"}  # as pytest-xdist names what a process was at when it ended
    outcomes = {name: end for name, end in attacked.outcomes.items() if name not in ended}
    assert {name: end for name, end in outcomes.items() if end} == NOT_PASSED
    suites = "".join((ATTACKED / name).read_text() for name in SUITES)
    assert {name.partition("[")[0] for name in outcomes} == {*re.findall(r"def (test_\w+)", suites)} - ended


def test_each_finding_has_the_right_state(attacked: Attacked) -> None:
    """Nothing is lost, and nothing is confirmed by a test that did not lead there."""
    found = {(each["filename"], each["location"]["row"], each["code"]): each["observed"] for each in attacked.findings}
    expected = dict(_expected("crashed" in attacked.out))
    assert len(expected) == 32
    told = {place: _told(found.get(place), any_test=tests == ["*"]) for place, (_, tests) in expected.items()}
    assert told == expected


def _expected(is_xdist: bool) -> Iterator[tuple[tuple[str, int, str], tuple[str, list[str]]]]:
    """By file, row and code, the state that a comment tells and the tests."""
    for name in FILES:
        for row, line in enumerate((ATTACKED / name).read_text().splitlines(), 1):
            if told := _EXPECTED.search(line):
                code, state, tests = told.groups()
                if "if xdist" in tests:
                    state, tests = ("confirmed", "test_process_that_ends") if is_xdist else ("unreached", "")
                yield (name, row, code), (state, sorted(tests.split()))


def _told(observed: dict[str, Any] | None, any_test: bool) -> tuple[str, list[str]]:
    """The state of a finding, and the tests that it names, without their classes."""
    if observed is None:
        return "null", []
    return observed["state"], ["*"] if any_test else sorted(each.rpartition("::")[2] for each in observed["by"])


@pytest.mark.parametrize(
    "why",
    [
        "Raises: not replayed: it raised ValueError: no",
        "Exits: not replayed: it raised SystemExit: 3",
        "Recurses: not replayed: it raised InternalTorchDynamoError: RecursionError",
        "Kinds: not replayed: it raised InternalTorchDynamoError: TypeError",  # without `open` Dynamo reads no source
    ],
)
def test_what_was_not_replayed_is_said(attacked: Attacked, why: str) -> None:
    assert why in attacked.out


def test_what_ran_is_not_what_the_file_says(attacked: Attacked) -> None:
    assert "strict.py: what ran as Other.forward is not what the file says, and left out" in attacked.out


def test_nothing_else_was_lost(attacked: Attacked) -> None:
    lost = [line.partition(":")[0] for line in attacked.out.splitlines() if ": not replayed: " in line]
    assert sorted(lost) == ["Exits", "Kinds", "Raises", "Recurses"]
