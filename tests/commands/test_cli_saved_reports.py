"""Saved reports of verify on the command line, which needs no torch: compared, joined, shown as a page."""

from __future__ import annotations

from pathlib import Path

from harness import RunBreaklint

SMALL = Path(__file__).parent / "reports" / "train.json"
OTHER = Path(__file__).parent / "reports" / "default.json"


def test_a_report_is_no_worse_than_itself(breaklint: RunBreaklint) -> None:
    done = breaklint("report", "compare", SMALL, SMALL)
    assert (done.returncode, done.stdout) == (0, "no difference beyond the noise\n")


def test_reports_made_otherwise_are_compared_on_request_only(breaklint: RunBreaklint) -> None:
    refused = breaklint("report", "compare", SMALL, OTHER)
    assert refused.returncode == 2
    assert "give --any-hardware" in refused.stderr
    done = breaklint("report", "compare", SMALL, OTHER, "--any-hardware")
    assert "only in the second" in done.stdout


def test_joined_reports_have_each_target_once(breaklint: RunBreaklint) -> None:
    one, both = (breaklint("report", "merge", *files).stdout for files in ((SMALL,), (SMALL, SMALL)))
    assert one.count("  noise  ") == both.count("  noise  ") > 0


def test_a_report_becomes_a_page(breaklint: RunBreaklint, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = breaklint("report", "open", SMALL, "-o", page, "--no-browser")
    assert (done.returncode, done.stdout) == (0, f"{page}\n")
    assert "<html" in page.read_text("utf-8")
