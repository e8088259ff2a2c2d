"""Sizes whose value Python needs: each new size compiles again."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.interp.events import FixedMark, Repeat
from breaklint.interp.values import Size
from breaklint.rules.base import Check, Hit


class MarkedSize(Check):
    """A size that `mark_dynamic` marks where the compiled code is called, and that this code fixes."""

    def visit_fixed_mark(self, fixed: FixedMark) -> Iterator[Hit]:
        yield Hit(fixed.node, f"`{{source}}` fixes {fixed.what}, which {fixed.place} marks as dynamic")


class SpecializedSize(Check):
    """A list that is repeated as often as a size says: `[x] * n`."""

    def visit_repeat(self, repeat: Repeat) -> Iterator[Hit]:
        if isinstance(repeat.value, Size):
            yield Hit(repeat.node)
