"""The cases of tests/cases: check and fix report and write what each page states."""

from __future__ import annotations

from pathlib import Path

import pytest

from breaklint.lint.cases import Case, failures, read_cases

FOLDER = Path(__file__).parent / "cases"
CASES = [
    pytest.param(case, id=f"{page.relative_to(FOLDER).with_suffix('')}: {case.name}")
    for page in sorted(FOLDER.rglob("*.md"))
    for case in read_cases(page)
]


@pytest.mark.parametrize("case", CASES)
def test_case(case: Case) -> None:
    assert failures(case) == []
