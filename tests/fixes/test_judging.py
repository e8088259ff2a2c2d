"""What the differential tests take for a difference."""

from __future__ import annotations

import pytest
from writing import model

torch = pytest.importorskip("torch")

from differential.inputs import Call  # noqa: E402
from differential.judging import Rewrite, disagreements_of  # noqa: E402

CALL = Call((3,), torch.float32, "positive", "plain", "separate", "leaves", "grad", 0)


def kinds(before: str, after: str) -> set[str]:
    rewrite = Rewrite(model(after, "x, y"), [], ())
    return {result.difference.kind for result in disagreements_of(model(before, "x, y"), rewrite, [CALL])}


def test_what_memory_holds_that_nothing_was_stored_in_is_no_difference() -> None:
    assert kinds("self.kept = x.new().resize_(500, 2)\nreturn x", "self.kept = x.new_empty(500, 2)\nreturn x") == set()


def test_another_value_or_size_is_a_difference() -> None:
    assert kinds("self.kept = x.new_empty(5, 2)\nreturn x", "self.kept = x.new_empty(2, 5)\nreturn x")
    assert kinds("return x", "return x + 1") >= {"value"}


def test_the_address_of_an_object_in_what_is_printed_is_no_difference() -> None:
    assert kinds("print(object())\nreturn x", "kept = [object() for _ in range(9)]\nprint(object())\nreturn x") == set()
    assert kinds("print(object())\nreturn x", "print([object()])\nreturn x") == {"printed"}
