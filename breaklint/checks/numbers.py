"""Python numbers made from tensors and arrays."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.analysis.events import Call, Event
from breaklint.analysis.values import Array, without_none
from breaklint.checks.base import Check, Hit, certain_tensor

NUMBERS = frozenset({"builtins.float", "builtins.int", "builtins.bool", "builtins.complex"})


class NumberOfTensor(Check):
    """`float(t)`, `int(t)`, `bool(t)`, `complex(t)`, and `math.exp(t)`, which takes a float."""

    events = (Call,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Call)
        number = event.target in NUMBERS or event.target.startswith("math.")
        if number and event.args and certain_tensor(event.args[0]) is not None:
            yield Hit(event.node)


class NumberOfArray(Check):
    """`int(np.prod(shape))`, `math.ceil(array)`, `array.item()`: NumPy scalars are tensors to Dynamo."""

    events = (Call,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Call)
        first = without_none(event.args[0]) if event.args else None
        asked = event.target in (*NUMBERS, "builtins.range") or event.target.startswith("math.")
        made = asked and isinstance(first, Array) and not first.plain
        read = event.method in ("item", "tolist") and isinstance(event.owner, Array)
        if made or read:
            yield Hit(event.node)
