"""Saved reports of verify on the command line, which needs no torch."""

from __future__ import annotations

from pathlib import Path

from harness import RunBreaklint

SMALL = Path(__file__).parent / "reports" / "train.json"


def test_joined_reports_have_each_target_once(breaklint: RunBreaklint) -> None:
    one, both = (breaklint("report", "merge", *files).stdout for files in ((SMALL,), (SMALL, SMALL)))
    assert one.count("  noise  ") == both.count("  noise  ") > 0
