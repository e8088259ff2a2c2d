"""Which names a turn of a loop may read before it binds them."""

from __future__ import annotations

import ast

import pytest

from breaklint.project.liveness import LoopNames

LIVE = {
    "the loop's own variable is bound by every turn": ("for x in xs:\n y = x\n use(y)", "use"),
    "what is read above its binding": ("for x in xs:\n use(y)\n y = x", "use y"),
    "an augmented assignment reads": ("for x in xs:\n y += x", "y"),
    "bound on one way only": ("for x in xs:\n if x:\n  y = 1\n use(y)", "use y"),
    "bound on both ways": ("for x in xs:\n if x:\n  y = 1\n else:\n  y, *z = 2\n use(y)", "use"),
    "an inner loop may not run": ("for x in xs:\n for y in x:\n  z = y\n use(z)", "use z"),
    "an inner loop's head": ("for x in xs:\n for y in x:\n  use(z)\n  z = y", "use z"),
    "a condition is read by every turn": ("while n < 3:\n n = use(m)", "m n use"),
    "a target that stores in an object": ("for x in xs:\n y[x].z = x", "y"),
    "a comprehension's names count as read": ("for x in xs:\n y = [z for z in x]", "z"),
    "an exception may come before a binding": ("for x in xs:\n try:\n  y = 1\n except E:\n  pass\n use(y)", "E use y"),
    "a deleted name": ("for x in xs:\n del y", "y"),
}


def live(source: str) -> frozenset[str] | None:
    function = ast.parse("def f():\n" + "".join(f" {line}\n" for line in source.split("\n"))).body[0]
    loop = next(node for node in ast.walk(function) if isinstance(node, (ast.For, ast.While)))
    return LoopNames(source).live(loop, function)


@pytest.mark.parametrize(("source", "names"), LIVE.values(), ids=LIVE)
def test_names_that_a_turn_may_read_before_it_binds_them(source: str, names: str) -> None:
    assert live(source) == set(names.split())


SHOWN = {"break": "for x in xs:\n if x:\n  break\n y = x", "lambda": "g = lambda: y\nfor x in xs:\n g()\n y = x"}


@pytest.mark.parametrize("source", SHOWN.values(), ids=SHOWN)
def test_all_names_may_be_live_where_a_break_or_a_function_shows_them(source: str) -> None:
    assert live(source) is None
