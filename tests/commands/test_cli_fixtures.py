"""The findings of each fixture, and its text after all fixes, are reviewed files; `make bless` writes them."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from harness import PROJECT

PAGE = (Path(__file__).parent / "fixtures.md").read_text("utf-8")
BLESS = runpy.run_path(str(PROJECT / "scripts" / "bless.py"))
FOLDERS = sorted(path.parent for path in PROJECT.glob("fixtures/*/before.py"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_fixture_has_the_findings_on_the_page_and_the_fixes_of_after(folder: Path) -> None:
    findings, after = BLESS["blessed"](folder)
    assert re.findall(rf"^(?:{folder.name}:.*\n(?:  .*\n)*)+", PAGE, re.M) == [findings]
    path = folder / "after.py"
    assert after == (path.read_text("utf-8") if path.exists() else None)


def test_the_page_names_no_other_fixture() -> None:
    named = {line.partition(":")[0] for line in PAGE.partition("```text\n")[2].splitlines() if line[:1] not in " `"}
    assert named == {folder.name for folder in FOLDERS}
