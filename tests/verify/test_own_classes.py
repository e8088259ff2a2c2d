"""Values of a target's own classes after its files have been loaded again."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

torch = pytest.importorskip("torch")

from breaklint.verify.arm import own_classes  # noqa: E402 - needs torch

NAME = "a_target_of_own_classes"
TEXT = "import enum\nclass Kind(enum.Enum):\n    A = 'a'\nclass Batch:\n    def __init__(self, x): self.x = x\n"


def loaded(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType(NAME)
    exec(TEXT, module.__dict__)
    monkeypatch.setitem(sys.modules, NAME, module)
    return module


def test_values_are_of_the_classes_that_were_loaded_last(monkeypatch: pytest.MonkeyPatch) -> None:
    first = loaded(monkeypatch)
    x = torch.ones(2)
    given = ((first.Batch(x), [first.Kind.A]), {})
    last = loaded(monkeypatch)
    (batch, (kind,)), _ = own_classes.renewed(given)
    assert kind is last.Kind.A
    assert type(batch) is last.Batch
    assert batch.x is x
    assert own_classes.holds_own(given, {NAME})
    assert not own_classes.holds_own(((x, 1, "a"), {}), {NAME})


def test_what_cannot_be_pickled_stays_as_it_is() -> None:
    given = ((lambda: 1,), {})
    assert own_classes.renewed(given) is given
