"""The page of coverage with what breaks cost, from a saved report of verify."""

from __future__ import annotations

import html
from dataclasses import replace

import pytest
from harness import RunBreaklint, WriteFiles
from test_join import BY, PLACE, profile

from breaklint.model import Effect, Finding, Position, Severity, Span
from breaklint.observe.profile import Break, Seen, text_of
from breaklint.verify.judge.results import (
    ArmReport,
    FixReport,
    SourceText,
    Speedup,
    TargetReport,
    Verdict,
    VerifyReport,
)
from breaklint.verify.report import writer

NET = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        print("one")
        return torch.relu(x)
"""
FINDING = Finding(
    "net.py", Span(Position(6, 9), Position(6, 21)), "BRK101", "print", "`print` breaks the graph", Effect.BREAK,
    Severity.ERROR, "Net.forward",
)  # fmt: skip
FIX = FixReport(FINDING, "fix:1", Verdict.CONFIRMED, "", True, True, Speedup(1.5, (1.4, 1.6)))
TARGET = TargetReport(
    "net.py::Net", Verdict.CONFIRMED, "",
    arms={"before": ArmReport(median_ms=3.0), "fix:1": ArmReport(median_ms=2.0)},
    fixes=(FIX,), ran_on="cpu", sources={"before": SourceText("net.py", NET)},
)  # fmt: skip
COST = "verify: 3 ms a call, 2 ms without this break (1.50 times as fast) on cpu: net.py::Net"


@pytest.mark.parametrize(
    ("target", "is_shown"),
    [
        pytest.param(TARGET, True, id="timed alone"),
        pytest.param(replace(TARGET, sources={"before": SourceText("net.py", NET + "\n")}), False, id="changed since"),
        pytest.param(replace(TARGET, fixes=(replace(FIX, equal=False),)), False, id="other results"),
        pytest.param(replace(TARGET, fixes=(replace(FIX, break_removed=False),)), False, id="the break is left"),
        pytest.param(replace(TARGET, fixes=(replace(FIX, speedup=None),)), False, id="not timed"),
    ],
)  # fmt: skip
def test_a_break_says_what_it_costs(
    write_files: WriteFiles, breaklint: RunBreaklint, target: TargetReport, is_shown: bool
) -> None:
    seen = Seen(frozenset({2, 3}), (Break(2, "GB0059", "it prints", False, BY),), by=BY)
    report = writer("json")(VerifyReport({}, (target,)))
    folder = write_files({"net.py": NET, PLACE: text_of(profile(NET, "Net.forward", seen)), "verify.json": report})
    done = breaklint("report", "observed", "--html", "page.html", "--verify", "verify.json")
    assert done.returncode == 0, done.stderr
    page = html.unescape((folder / "page.html").read_text())
    assert "GB0059 it prints" in page
    assert (COST in page) is is_shown


def test_without_a_page_there_is_no_place_for_it(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({PLACE: text_of(profile(NET, "Net.forward", Seen()))})
    assert breaklint("report", "observed", "--verify", "verify.json").returncode == 2
