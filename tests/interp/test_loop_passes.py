"""A loop's body is run again while it may do something else than before, and no longer."""

from __future__ import annotations

import ast

import pytest
from harness import findings, marked

from breaklint.interp import interpreter
from breaklint.interp.frame import Frame
from breaklint.lint.engine import check_source
from breaklint.model import Settings

NET = """
import torch
class Net(torch.nn.Module):
    def forward(self, x, flag: bool = False):
        rows, table = [], {{}}
{body}
        return rows, table
"""

ONCE = {
    "a list is filled": "for y in x:\n rows.append(y)",
    "a list is filled under a condition": "for y in x:\n if flag:\n  rows.append(y)\n else:\n  rows.extend([y, y])",
    "a dict is filled": "for y in x:\n table['a'] = y\n table[str(y.shape)] = y",
    "a list of another turn is of no use": "for y in x:\n new = []\n new.append(y)\n rows.append(new[0])",
    "an attribute is stored that no code reads": "for y in x:\n setattr(self, str(y.shape), y)",
}
TWICE = {
    "an item is read": "for y in x:\n z = rows[-1]\n rows.append(y)",
    "an item is read after the list has grown": "for y in x:\n rows.append(y)\n z = rows[0]\n rows.append(z.item())",
    "the list was read before the loop": "n = sum(rows)\nfor y in x:\n rows.append(y)",
    "another name reads the list": "same = rows\nfor y in x:\n z = same[0]\n rows.append(y)",
    "an entry is read": "for y in x:\n z = table.get('a')\n table['a'] = y",
    "a call reads the list": "for y in x:\n n = sum(rows)\n rows.append(y)",
    "an attribute is read": "for y in x:\n z = self.last\n self.last = y",
    "a name is carried over": "z = None\nfor y in x:\n w = z\n z = y",
}


def passes(body: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many times the body of the first loop is run for all of its turns at once; calls in turn run it as well."""
    source = NET.format(body="\n".join(f"        {line}" for line in body.split("\n")))
    runs: dict[int, int] = {}
    transfer = interpreter.TRANSFER

    def counted(frame: Frame, block: list[ast.stmt]) -> bool:
        if not frame.interp.runs_in_turn:
            runs[block[0].lineno] = runs.get(block[0].lineno, 0) + 1
        return transfer.run_block(frame, block)

    monkeypatch.setattr(interpreter, "TRANSFER", transfer._replace(run_block=counted))
    assert not check_source(source, "net.py", Settings()).errors
    loop = next(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.For))
    return runs[loop.body[0].lineno]


@pytest.mark.parametrize("body", ONCE.values(), ids=ONCE)
def test_a_loop_that_changes_only_unread_values_runs_once(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert passes(body, monkeypatch) == 1


@pytest.mark.parametrize("body", TWICE.values(), ids=TWICE)
def test_a_loop_that_changes_what_has_been_read_runs_again(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert passes(body, monkeypatch) > 1


CARRIED = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = []
    def forward(self, x):
        rows, table = [], {}
        for y in x:
            if rows[0].sum() > 0:  # BRK301
                y = y + 1
            if self.kept[0].sum() > 0:  # BRK301
                y = y + 1
            if table["a"].sum() > 0:  # BRK301
                y = y + 1
            rows.append(y)
            self.kept.append(y)  # BRK702
            table["a"] = y
        return rows
"""


def test_a_turn_sees_what_earlier_turns_have_stored() -> None:
    assert findings(CARRIED) == marked(CARRIED)
