"""What check says about each fixture, and what its fixes write, are reviewed files; `make bless` writes them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from harness import INSTALLED_TORCH, PROJECT, RunBreaklint

TARGET = ("--isolated", "--target-torch", INSTALLED_TORCH)
FIXTURES = PROJECT / "fixtures"
PAGE = (Path(__file__).parent / "fixtures.md").read_text("utf-8")
EXPECTED = dict(re.findall(r"^## (\S+)\n\n```text\n(.*?)^```$", PAGE, re.M | re.S))


def test_every_fixture_is_on_the_page() -> None:
    assert sorted(EXPECTED) == sorted(path.parent.name for path in FIXTURES.glob("*/before.py"))


@pytest.mark.parametrize("name", EXPECTED)
def test_check_prints_what_is_expected_and_fix_writes_after(name: str, breaklint: RunBreaklint, tmp_path: Path) -> None:
    fixture = FIXTURES / name
    shutil.copy(fixture / "before.py", tmp_path)
    checked = breaklint("check", *TARGET, "before.py")
    assert checked.stdout == EXPECTED[name]
    breaklint("check", *TARGET, "--fix", "--unsafe-fixes", "before.py")
    after = fixture / ("after.py" if (fixture / "after.py").exists() else "before.py")
    assert (tmp_path / "before.py").read_text("utf-8") == after.read_text("utf-8")
