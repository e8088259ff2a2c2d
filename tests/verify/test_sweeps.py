"""`verify --vary`: compilations counted over values, before and after the fixes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness import RunBreaklint

pytest.importorskip("torch")

COUNTING = """import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * 2


def rows(x):
    print("rows")
    return x + 1


def get_inputs():
    return [torch.randn(4, 8)]
"""


def test_the_limit_and_the_guard_with_its_finding(breaklint: RunBreaklint, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(COUNTING)
    sizes = "x.0=4,4,4,4,4,4,4,4,4,4"
    done = breaklint("verify", "net.py::Net", "--vary", sizes, "--quick", "--devices", "cpu", "--output-format", "json")
    (before,) = json.loads(done.stdout)
    assert done.returncode == 1
    assert before["compilations"] == 8
    assert [call["ends"] for call in before["values"]][8] == "recompile_limit"
    second = before["values"][1]
    assert (second["guard"], second["row"], second["finding"]) == ("self.calls == 0", 10, "BRK701 counter-attribute")


def test_before_and_after_stand_side_by_side(breaklint: RunBreaklint, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(COUNTING)
    done = breaklint("verify", "net.py::rows", "--vary", "x.0=4,5,6", "--quick", "--devices", "cpu")
    assert done.returncode == 0
    assert "net.py::rows before" in done.stdout
    assert "  2 compilations" in done.stdout


def test_a_target_that_is_no_entry_is_a_usage_error(breaklint: RunBreaklint, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(COUNTING)
    done = breaklint("verify", "net.py", "--vary", "x.0=4,5", "--quick")
    assert done.returncode == 2
    assert "with --vary a target is FILE.py::Class" in done.stderr
