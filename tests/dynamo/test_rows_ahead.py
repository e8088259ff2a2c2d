"""The lines that a function may still reach: not those of a branch that was not taken."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")
from torch._dynamo.bytecode_transformation import cleaned_instructions

from breaklint.dynamo.rows_ahead import RowsAhead

TEXT = """\
def forward(x):
    for _ in range(2):
        x += 1
    if x:
        x = 2
    else:
        x = 3
    return x
"""


@pytest.mark.parametrize(("row", "ahead"), [(2, {2, 3, 4, 5, 7, 8}), (3, {2, 3, 4, 5, 7, 8}), (5, {5, 8}), (7, {7, 8})])
def test_rows_from_the_second_instruction_of_a_row(row: int, ahead: set[int]) -> None:
    code = next(const for const in compile(TEXT, "net.py", "exec").co_consts if hasattr(const, "co_name"))
    place = [one.starts_line for one in cleaned_instructions(code)].index(row) + 1
    may_follow = set()
    for new in range(1, 9):
        rows = RowsAhead()
        for other in set(range(1, 9)) - {new}:
            rows.add("net.py", other)
        may_follow |= {new} if rows.any(code, place) else set()
    assert may_follow == ahead
