"""Views that are created in place, and tensors that are detached in place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from breaklint.interp.events import Call
from breaklint.interp.values import CONSTANT, Tensor, without_none
from breaklint.rules.base import Check, Hit

# No schema: in-place methods that change the tensor object itself, not its data.
VIEWS: Final = frozenset("squeeze_ unsqueeze_ t_ transpose_ swapaxes_ swapdims_ as_strided_ set_ detach_".split())


class InplaceView(Check):
    """`x.squeeze_(1)` on an input, a buffer or a parameter: its metadata change while the graph holds it."""

    def applies_to(self, target: str, method: str) -> bool:
        return method in VIEWS

    def visit_call(self, call: Call) -> Iterator[Hit]:
        tensor = without_none(call.owner) if call.owner is not None else None
        if isinstance(tensor, Tensor) and tensor.role not in ("", CONSTANT, "sparse"):
            yield Hit(call.node, target="set" if call.method == "set_" else "")
