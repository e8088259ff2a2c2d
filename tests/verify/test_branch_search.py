"""Inputs are searched for the other sides of branches that are rewritten or around a change."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from breaklint.verify.arm import branches  # noqa: E402 - needs torch
from breaklint.verify.arm.branches import instrument, search, watched_places  # noqa: E402

TEXT = "def f(x):\n    if x > 1:\n        if x > 2:\n            x = x + 1\n    return x\n"


def searched(rows: tuple[int, int], values: list[float]) -> tuple[list[str], list[str]]:
    """The rows of watched branches, and which candidates told something."""
    tree = instrument(TEXT, "f.py", [("f.py", *rows)])
    places = watched_places([tree])
    names: dict[str, object] = {}
    exec(compile(tree, "f.py", "exec"), names)
    candidates = [(str(value), torch.tensor(value)) for value in values]
    _, telling = search(names["f"], candidates, places)  # type: ignore[arg-type]
    return [f"row {row}" for _, row, _ in places], list(telling)


def test_a_branch_that_holds_the_change_is_watched_with_those_on_its_rows() -> None:
    assert searched((4, 4), [])[0] == ["row 2", "row 3"]
    assert searched((5, 5), [])[0] == []


def test_calls_are_made_until_each_side_was_taken() -> None:
    assert searched((4, 4), [0.0, 0.5, 1.5, 3.0, 4.0])[1] == ["0.0", "1.5", "3.0"]


def test_the_search_ends_when_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branches, "SEARCH_S", -1.0)
    assert searched((4, 4), [0.0, 1.5, 3.0])[1] == []
