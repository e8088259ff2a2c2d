"""Modules of torch.nn whose forward has a shape that depends on data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from breaklint.interp.events import Call
from breaklint.rules.base import Check, Hit

LOSSES: Final = frozenset({"CTCLoss", "AdaptiveLogSoftmaxWithLoss"})


class LossOfDynamicShape(Check):
    """A call of an nn.CTCLoss or of an nn.AdaptiveLogSoftmaxWithLoss."""

    def applies_to(self, target: str, method: str) -> bool:
        return not target and not method

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if call.instance.startswith("torch.nn.") and call.instance.rpartition(".")[2] in LOSSES:
            yield Hit(call.node)
