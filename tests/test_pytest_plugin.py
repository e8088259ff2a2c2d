"""The pytest plugin in a small project of its own, run by pytest as a user runs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from importlib import import_module
from pathlib import Path

import pytest
from harness import FEW_PLUGINS, PROJECT

MODEL = """\
import torch
from torch import nn


class Clean(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1


class Chatty(nn.Module):
    def forward(self, x):
        print("shape", x.shape)
        return torch.relu(x) + 1


class Vendored(nn.Module):
    def forward(self, x):
        x = x * 2
        return x + x.sum().item()


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.history = []

    def forward(self, x):
        self.history.append(0)
        return x * len(self.history)
"""
TESTS = """\
import pytest
import torch
from breaklint.testing import assert_no_graph_breaks as imported
from shop.model import Chatty, Clean, Counting, Vendored

X = torch.ones(2, 3)


def test_clean(assert_no_graph_breaks):
    assert_no_graph_breaks(Clean(), X, max_recompiles=0)


def test_chatty(assert_no_graph_breaks):
    assert_no_graph_breaks(Chatty(), X)


def test_chatty_again(assert_no_graph_breaks):
    assert_no_graph_breaks(torch.compile(Chatty()), x=X)


def test_allowed_in_the_project(assert_no_graph_breaks):
    assert_no_graph_breaks(Vendored(), X)


def test_recompiles(assert_no_graph_breaks):
    assert_no_graph_breaks(Counting(), X, max_recompiles=1)


def test_more_calls(assert_no_graph_breaks):
    assert_no_graph_breaks(Clean(), X, max_recompiles=0, more_calls=[(torch.ones(n, 3),) for n in (3, 4, 5)])


def test_listed(graph_breaks):
    (only,) = graph_breaks(Chatty(), X)
    assert (only.row, only.gb, only.own) == (12, "GB0059", True)


@pytest.mark.no_graph_breaks
def test_marked():
    torch.compile(Chatty(), backend="eager")(X)


@pytest.mark.no_graph_breaks(allow=["model.py:12"])
def test_marked_and_allowed():
    torch.compile(Chatty(), backend="eager")(X)


@pytest.mark.no_graph_breaks(alow=["model.py:12"])
def test_marked_wrongly():
    torch.compile(Chatty(), backend="eager")(X)


@pytest.mark.no_graph_breaks
def test_marked_and_eager():
    Chatty()(X)


@pytest.mark.no_graph_breaks
def test_marked_and_failing():
    raise ValueError("its own")


@pytest.mark.no_graph_breaks
def test_marked_and_skipped():
    pytest.skip("not today")


def test_at_package_level():
    from breaklint import assert_no_graph_breaks, graph_breaks

    assert_no_graph_breaks(Clean(), X)
    assert len(graph_breaks(Chatty(), X)) == 1


def test_allowed_by_one_text(assert_no_graph_breaks):
    assert_no_graph_breaks(Chatty(), X, allow="GB0059")


def test_imported():
    imported(Chatty(), X)


def test_class():
    imported(Clean, X)
"""
PYPROJECT = """\
[tool.pytest.ini_options]
addopts = "--strict-markers --strict-config"
pythonpath = ["."]
graph_breaks_allow = ["model.py:19"]
"""


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:breaklint", "-p", "breaklint.pytest_plugin", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), **FEW_PLUGINS}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    files = {
        "pyproject.toml": PYPROJECT,
        "shop/__init__.py": "",
        "shop/model.py": MODEL,
        "tests/test_model.py": TESTS,
        "plain/test_plain.py": "import sys\n\n\ndef test_plain():\n    assert 'torch' not in sys.modules\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def outcomes(project: Path) -> tuple[str, dict[str, str]]:
    """What pytest prints, and the failure of every test ("" for one that passes)."""
    pytest.importorskip("torch")
    output = run_pytest(project, "tests", "-q", "--junitxml", "results.xml").stdout
    cases = ElementTree.parse(project / "results.xml").iter("testcase")
    return output, {case.get("name", ""): case.findtext("failure", "") for case in cases}


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("test_clean", ""),
        ("test_chatty", "Chatty: 1 graph break\n  shop/model.py:12: GB0059 Failed to trace builtin operator"),
        ("test_chatty_again", "1 graph break\n  shop/model.py:12: GB0059"),
        ("test_allowed_in_the_project", ""),
        ("test_recompiles", "Counting: 2 recompiles, 1 allowed\n  not self.history  (model.py:28)"),
        ("test_more_calls", "Clean: 1 recompiles, 0 allowed\n  x.size(0) == 2"),
        ("test_listed", ""),
        ("test_marked", "1 graph break\n  shop/model.py:12: GB0059"),
        ("test_marked_and_allowed", ""),
        ("test_marked_wrongly", "the marker no_graph_breaks has no argument `alow`; did you mean `allow`?"),
        ("test_marked_and_eager", "needs a test that compiles, and this test compiles nothing: call torch.compile"),
        ("test_marked_and_failing", "ValueError: its own"),
        ("test_marked_and_skipped", ""),
        ("test_at_package_level", ""),
        ("test_allowed_by_one_text", ""),
        ("test_imported", "Chatty: 1 graph break"),
        ("test_class", "TypeError: Clean is a class: give an instance of it, Clean(...)"),
    ],
)
def test_a_test_fails_with_the_lines_that_break(outcomes: tuple[str, dict[str, str]], test: str, words: str) -> None:
    failure = outcomes[1][test]
    assert (failure == "") == (words == "")
    assert words in failure


def test_a_failure_shows_the_test_and_neither_breaklint_nor_the_trace_of_torch(
    outcomes: tuple[str, dict[str, str]],
) -> None:
    output, failures = outcomes
    assert "    imported(Chatty(), X)\n" in failures["test_imported"]
    assert "raise AssertionError" not in failures["test_imported"]
    assert "torch.__trace" not in output


def test_the_summary_counts_the_tests_that_meet_a_line(outcomes: tuple[str, dict[str, str]]) -> None:
    output = outcomes[0]
    assert "= graph breaks =" in output
    assert "6 tests  shop/model.py:12: GB0059" in output
    assert "1 test  shop/model.py:19: GB0124" in output
    assert "10 models traced, 7 with graph breaks, on 2 lines" in output


def test_a_project_that_does_not_ask_pays_nothing(project: Path) -> None:
    done = run_pytest(project, "plain", "-q")
    assert done.returncode == 0, done.stdout
    assert "graph breaks" not in done.stdout


def test_pytest_finds_the_plugin_by_its_entry_point() -> None:
    described = (PROJECT / "pyproject.toml").read_text("utf-8")
    named = re.search(r'^\[project\.entry-points\.pytest11\]\nbreaklint = "(.+)"$', described, re.MULTILINE)
    assert named is not None
    assert hasattr(import_module(named[1]), "pytest_terminal_summary")
