"""The kinds of fixes are those that users are told of."""

from __future__ import annotations

from harness import PROJECT

from breaklint.fixes.registry import kinds

PAGE = (PROJECT / "docs/fix-safety.md").read_text("utf-8")


def test_the_page_about_safety_lists_every_kind_that_is_written() -> None:
    rows = [row.split("|")[1] for row in PAGE.splitlines() if row.startswith("| ")]
    listed = {name.strip() for row in rows for name in row.split(",")} - {"fix", "show-…", "template"}
    assert listed == {kind for kind in kinds() if not kind.startswith("show-")}
