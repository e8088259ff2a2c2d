"""Programs after public reports. A mark names each rule that finds something in its row, as torch 2.13 does."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import findings, marked

PROGRAMS = sorted((Path(__file__).parent / "reported").glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_check_says_what_torch_does(program: Path) -> None:
    text = program.read_text(encoding="utf-8")
    assert findings(text) == marked(text)
