"""Sizes whose value Python needs: each new size compiles again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from breaklint.interp.events import Call, FixedMark, Repeat
from breaklint.interp.values import Size
from breaklint.rules.base import Check, Hit

# Nobody tests an integer by the first ones, and a text names a layer by a size that its weights fix.
IGNORED: Final = frozenset(
    {"math.isnan", "math.isinf", "math.isfinite", "builtins.str", "builtins.repr", "builtins.format"}
)
METHODS: Final = frozenset({"bit_length", "bit_count"})  # of int, whose result needs the value


class MarkedSize(Check):
    """A size that the caller marks with `mark_dynamic`, and that the compiled code specializes."""

    def visit_fixed_mark(self, fixed: FixedMark) -> Iterator[Hit]:
        yield Hit(fixed.node, f"`{{source}}` fixes {fixed.what}, which {fixed.place} marks as dynamic")


def measured(call: Call) -> str:
    """Dynamo's handling of a builtin, a function of `math` or a method of int with a size; "" for others."""
    if call.method:
        return call.frame.interp.facts.of_size(f"int.{call.method}") if isinstance(call.owner, Size) else ""
    if call.target in IGNORED:
        return ""
    return (
        call.frame.interp.facts.of_size(call.target)
        if any(isinstance(argument, Size) for argument in call.args)
        else ""
    )


class SpecializedSize(Check):
    """A function of a size that Dynamo computes for one value, and a list repeated by a size: `[x] * n`."""

    def applies_to(self, target: str, method: str) -> bool:
        return target.startswith("math.") or method in METHODS

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if measured(call) == "specialized":
            yield Hit(call.node)

    def visit_repeat(self, repeat: Repeat) -> Iterator[Hit]:
        if isinstance(repeat.value, Size):
            yield Hit(repeat.node)
