"""`check --measured`: the milliseconds of a verify report."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import RunBreaklint, WriteFiles

from breaklint.dynamo.events import Break
from breaklint.verify.judge.results import ArmReport, FixReport, TargetReport, Verdict, VerifyReport
from breaklint.verify.report.json import write

TEXT = """\
import torch


class First(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        print(x)
        print(x.sum())
        return x.sin()


class Second(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        y = x.sum().item()
        return x * y
"""


def report(*fixes: FixReport) -> str:
    broken = Break("net.py", 13, "", "", own=True)
    arms = {"before": ArmReport(median_ms=5.0, breaks=(broken,)), "after": ArmReport(median_ms=2.0)}
    unmeasured = TargetReport(target="other", verdict=Verdict.ERROR, why="")
    target = TargetReport(target="net", verdict=Verdict.CONFIRMED, why="", arms=arms, fixes=fixes)
    return write(VerifyReport({}, (target, unmeasured)))


def first(breaklint: RunBreaklint) -> str:
    lines = breaklint("check", "net.py", "--measured", "report.json").stdout.splitlines()
    return lines[lines.index("Fix first:") + 1]


def test_the_cause_with_the_most_milliseconds_is_the_first(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"net.py": TEXT, "report.json": report()})
    assert first(breaklint) == "  1. net.py:13 (3.00 ms of a call, adds 1 graph)"
    fix = FixReport(
        code="BRK101", name="print-call", filename="net.py", row=7, end_row=7, applicability="safe", arm="", why="",
        verdict=Verdict.CONFIRMED, break_removed=True, equal=True, speedup=5.0, interval=None,
    )  # fmt: skip
    write_files({"report.json": report(fix)})
    assert first(breaklint).startswith("  1. net.py:7 (4.00 ms of a call")


@pytest.mark.parametrize("text", ["[", "[]", '{"targets": [{}]}', '{"targets": 3}'])
def test_another_file_is_an_error_of_one_line(text: str, write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"net.py": TEXT, "report.json": text})
    done = breaklint("check", "net.py", "--measured", "report.json")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "report.json: no report of breaklint verify" in done.stderr
    assert breaklint("check", "net.py", "--measured", str(Path("gone.json"))).returncode == 2
