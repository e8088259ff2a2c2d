"""Steps of a training loop inside compiled code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from breaklint.interp.events import Call
from breaklint.rules.base import Check, Hit

# No schema: methods of Python classes of torch that Dynamo skips, or at which it breaks on purpose.
STEPS: Final = {
    "torch.optim.": frozenset({"step", "zero_grad", "state_dict", "get_last_lr"}),
    "torch.optim.swa_utils.": frozenset({"update_parameters"}),
    "torch.amp.": frozenset({"scale", "step", "update", "unscale_", "get_scale"}),
    "torch.cuda.amp.": frozenset({"scale", "step", "update", "unscale_", "get_scale"}),
}
NO_OPTIMIZERS: Final = ("torch.optim.lr_scheduler.", "torch.optim.swa_utils.")


class OptimizerCall(Check):
    """`Adam([w])`, `optimizer.step()`, `optimizer.zero_grad()`, `scheduler.step()`, `scaler.scale(loss)`."""

    def applies_to(self, target: str, method: str) -> bool:
        if target.startswith("torch.optim.") and not method:
            return target.rpartition(".")[2][:1].isupper() and not target.startswith(NO_OPTIMIZERS)
        return any(target.startswith(head) and method in methods for head, methods in STEPS.items())

    def visit_call(self, call: Call) -> Iterator[Hit]:
        yield Hit(call.node)
