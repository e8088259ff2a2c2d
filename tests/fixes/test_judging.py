"""What the differential tests take for a difference."""

from __future__ import annotations

import pytest
from writing import model

torch = pytest.importorskip("torch")

from differential.inputs import Call  # noqa: E402
from differential.judging import Rewrite, disagreements_of  # noqa: E402

CALL = Call((3,), torch.float32, "positive", "plain", "separate", "leaves", "grad", 0)


def differs(before: str, after: str) -> bool:
    rewrite = Rewrite(model(after, "x, y"), [], ())
    return bool(disagreements_of(model(before, "x, y"), rewrite, [CALL]))


def test_what_memory_holds_that_nothing_was_stored_in_is_no_difference() -> None:
    assert not differs("self.kept = x.new().resize_(500, 2)\nreturn x", "self.kept = x.new_empty(500, 2)\nreturn x")


def test_another_value_or_size_is_a_difference() -> None:
    assert differs("self.kept = x.new_empty(5, 2)\nreturn x", "self.kept = x.new_empty(2, 5)\nreturn x")
    assert differs("return x", "return x + 1e-6")
    assert differs("return x * y", "return x * y.detach()")
    assert differs("print('a')\nreturn x", "return x")
    assert not differs("return x", "return x.reshape(x.shape)")
