"""What check says about each fixture, and what its fixes write, are reviewed files; `make bless` writes them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from harness import INSTALLED_TORCH, PROJECT, RunBreaklint

TARGET = ("--isolated", "--target-torch", INSTALLED_TORCH)
FIXTURES = sorted(path.parent for path in (PROJECT / "fixtures").glob("*/expected.txt"))


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda path: path.name)
def test_check_prints_what_is_expected_and_fix_writes_after(
    fixture: Path, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    shutil.copy(fixture / "before.py", tmp_path)
    checked = breaklint("check", *TARGET, "before.py")
    assert checked.stdout == (fixture / "expected.txt").read_text("utf-8")
    breaklint("check", *TARGET, "--fix", "--unsafe-fixes", "before.py")
    after = fixture / ("after.py" if (fixture / "after.py").exists() else "before.py")
    assert (tmp_path / "before.py").read_text("utf-8") == after.read_text("utf-8")
