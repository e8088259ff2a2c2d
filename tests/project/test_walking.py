"""Walks over the statements of a file that stand at some rows."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from breaklint.project.walking import names_with_parents, rows_with, walk_rows, walk_with_parents

TEXT = """import torch
@mark(lambda: 1)
def f(x):
    y = g(x)
    if x:
        return [
            y,
            lambda: z]
    return h
class A:
    def m(self):
        w = lambda: v
"""

NAMES = {
    "a decorator stands at rows above its function": ([2], {"mark"}),
    "one statement": ([4], {"y", "g", "x", "mark"}),
    "a row within a statement": ([7], {"y", "x", "z", "mark"}),
    "two rows": ([4, 12], {"y", "g", "x", "w", "v", "mark"}),
    "none": ([], set()),
}


@pytest.mark.parametrize(("rows", "names"), NAMES.values(), ids=NAMES)
def test_statements_without_a_row_are_left_out(rows: list[int], names: set[str]) -> None:
    result = {node.id for node in walk_rows(ast.parse(TEXT), rows) if isinstance(node, ast.Name)}
    assert result == names


def test_rows_that_hold_a_word_are_in_order_each_as_often_as_it_holds_one() -> None:
    assert rows_with(TEXT, ["lambda", "mark", "torch"]) == [1, 2, 2, 8, 12]
    assert rows_with(TEXT, ["none of it"]) == []


def test_no_row_has_an_empty_word_as_that_would_be_a_row_for_every_character() -> None:
    assert rows_with(TEXT, [""]) == []


def test_names_have_the_same_parents_in_the_same_order_as_all_nodes() -> None:
    tree = ast.parse(Path(__file__).read_text() + TEXT)
    every = [(node, parent) for node, parent in walk_with_parents(tree) if isinstance(node, ast.Name)]
    assert names_with_parents(tree) == every
