"""What a constructor hands over is what Python would have made of it, whenever the statement that hands it over runs:
a statement that is put off is made as soon as someone asks for an object that it may change."""

from __future__ import annotations

from itertools import product

import pytest

from breaklint.lint.engine import check_source
from breaklint.model import Settings

TEXT = """\
import torch
import torch.nn as nn


def mask():
    return torch.ones(3).sum() > 2


def register(rows, item):
    rows.append(item)
    return 1


def register_under_another_name(rows, item):
    for table in (rows, rows):
        known = table
    known.append(item)
    return 1


def register_in_model(model, item):
    register(model.rows, item)
    return 1


def register_in_first(pair, item):
    pair[0].append(item)
    return 1


def register_in_first_model(pair, item):
    pair[0].rows.append(item)
    return 1


def register_in_table(*, table, item):
    table["rows"].append(item)
    return 1


def call(function, item):
    function(item)
    return 1


class Part:
    def __init__(self):
        self.rows = []

    def take(self, item):
        self.rows.append(item)
        return 1

    def __call__(self, item):
        self.rows.append(item)
        return 1


class Taker:
    def __init__(self, rows, item):
        rows.append(item)


class Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.flag = config.flag
        self.rows = []
        self.part = Part()
        rows = []
        self.same = rows
{lines}

    def one(self):
        {inside}

    def two(self):
        self.one()

    def forward(self, x: torch.Tensor):
        if {asked}[0]:
            x = x * 2
        return x
"""
HANDED = {
    "by position": ("register(self.rows, mask())", "self.rows"),
    "by keyword": ("register(rows=self.rows, item=mask())", "self.rows"),
    "to a function with other names for it": ("register_under_another_name(self.rows, mask())", "self.rows"),
    "to a constructor": ("Taker(self.rows, mask())", "self.rows"),
    "with the object": ("register_in_model(self, mask())", "self.rows"),
    "with the object, by keyword": ("register_in_model(model=self, item=mask())", "self.rows"),
    "with the object in a tuple": ("register_in_first_model((self, 1), mask())", "self.rows"),
    "in a tuple": ("register_in_first((self.rows, 1), mask())", "self.rows"),
    "in a list": ("register_in_first([self.rows], mask())", "self.rows"),
    "in a dict": ("register_in_table(table={'rows': self.rows}, item=mask())", "self.rows"),
    "starred": ("register(*(self.rows, mask()))", "self.rows"),
    "in a mapping": ("register(**{'rows': self.rows, 'item': mask()})", "self.rows"),
    "as one of two": ("register(self.rows if self.flag else self.rows, mask())", "self.rows"),
    "as a default": ("register(self.rows or self.rows, mask())", "self.rows"),
    "by name": ("register(getattr(self, 'rows'), mask())", "self.rows"),
    "in a comprehension": ("[register(rows, mask()) for rows in [self.rows]]", "self.rows"),
    "in a lambda": ("(lambda: register(self.rows, mask()))()", "self.rows"),
    "as a bound method": ("call(self.rows.append, mask())", "self.rows"),
    "as a bound method of its class": ("call(self.part.take, mask())", "self.part.rows"),
    "to a method of another attribute": ("self.part.take(mask())", "self.part.rows"),
    "to another attribute that is called": ("self.part(mask())", "self.part.rows"),
    "from another attribute": ("register(self.part.rows, mask())", "self.part.rows"),
    "grown in another attribute": ("self.part.rows.append(mask())", "self.part.rows"),
}
STATEMENTS = {
    "an expression": "{call}", "an assignment": "self.n = {call}", "a local name": "n = {call}",
    "a branch": "if config.deep:\n    {call}",
}  # fmt: skip
METHODS = {
    "a method": "self.one()", "an assigned method": "self.n = self.one()", "a method in a branch":
    "if config.deep:\n    self.one()",
}  # fmt: skip
LOCAL = {
    "handed over": "register(rows, mask())",
    "grown": "[rows.append(mask())]",
    "constructor": "Taker(rows, mask())",
}


def _rows_that_break(lines: str, asked: str, inside: str = "pass") -> tuple[set[int], int]:
    indented = "".join(f"        {line}\n" for line in lines.splitlines()).rstrip()
    text = TEXT.replace("{lines}", indented).replace("{inside}", inside).replace("{asked}", asked)
    row = 1 + text.splitlines().index(f"        if {asked}[0]:")
    found = check_source(text, "models.py", Settings()).findings
    return {finding.span.start.row for finding in found if finding.code == "BRK301"}, row


@pytest.mark.parametrize(
    ("handed", "statement"), [*product(HANDED, ["an assignment"]), *product(["by position", "in a tuple"], STATEMENTS)]
)
def test_what_a_statement_hands_over_is_changed_when_it_is_asked_for(handed: str, statement: str) -> None:
    call, asked = HANDED[handed]
    found, row = _rows_that_break(STATEMENTS[statement].format(call=call), asked)
    assert found == {row}


@pytest.mark.parametrize(("handed", "statement"), [*product(HANDED, ["a method"]), *product(["by position"], METHODS)])
def test_what_a_method_hands_over_is_changed_when_it_is_asked_for(handed: str, statement: str) -> None:
    call, asked = HANDED[handed]
    found, row = _rows_that_break(METHODS[statement], asked, inside=call)
    assert found == {row}


@pytest.mark.parametrize(("handed", "statement"), [*product(LOCAL, ["an expression", "a branch"])])
def test_a_list_of_the_constructor_that_an_attribute_holds_is_changed(handed: str, statement: str) -> None:
    found, row = _rows_that_break(STATEMENTS[statement].format(call=LOCAL[handed]), "self.same")
    assert found == {row}


def test_what_is_only_read_is_not_changed() -> None:
    found, _ = _rows_that_break("self.n = len(self.rows)\nself.rows.append(True)", "self.rows")
    assert found == set()
