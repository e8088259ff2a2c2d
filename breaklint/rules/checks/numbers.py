"""Python numbers made from tensors and arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from breaklint.interp.events import Arithmetic, Call, Event
from breaklint.interp.values import Array, Number, without_none
from breaklint.rules.base import Check, Hit, certain_tensor, is_first_use

NUMBERS: Final = frozenset({"builtins.float", "builtins.int", "builtins.bool", "builtins.complex"})


class NumberOfTensor(Check):
    """`float(t)`, `int(t)`, `bool(t)`, `complex(t)`, and `math.exp(t)`, which takes a float."""

    events = (Call,)

    def hears(self, target: str, method: str) -> bool:
        return target in NUMBERS or target.startswith("math.")

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Call)
        number = event.target in NUMBERS or event.target.startswith("math.")
        if number and event.args and certain_tensor(event.args[0]) is not None:
            yield Hit(event.node)


class NumberOfArray(Check):
    """`int(np.prod(shape))`, `math.ceil(array)`, `array.item()`: NumPy scalars are tensors to Dynamo."""

    events = (Call,)

    def hears(self, target: str, method: str) -> bool:
        return target.startswith(("builtins.", "math.")) or method in ("item", "tolist")

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Call)
        first = without_none(event.args[0]) if event.args else None
        asked = event.target in NUMBERS or event.target == "builtins.range" or event.target.startswith("math.")
        made = asked and isinstance(first, Array) and not first.python_scalar
        read = event.method in ("item", "tolist") and isinstance(event.owner, Array)
        if made or read:
            yield Hit(event.node)


class RandomArithmetic(Check):
    """Arithmetic in Python with a number that `random.uniform` or `random.randint` drew: Dynamo holds it as a tensor.

    It gives the function up at the first such place.
    """

    events = (Arithmetic, Call)
    conversions = (NUMBERS | {"builtins.round", "builtins.str", "builtins.divmod"}) - {"builtins.complex"}

    def hears(self, target: str, method: str) -> bool:
        return target in self.conversions

    def see(self, event: Event) -> Iterator[Hit]:
        if isinstance(event, Call):
            first = event.args[0] if event.args else None
            if event.target in self.conversions and isinstance(first, Number) and first.symbolic:
                yield Hit(event.node)
        elif is_first_use("random arithmetic", event):
            yield Hit(event.node)
