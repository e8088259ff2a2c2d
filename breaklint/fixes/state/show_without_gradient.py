"""A new tensor without `requires_grad=True`: shown, never written."""

from __future__ import annotations

from breaklint.fixes.advice import shown
from breaklint.fixes.base import FixRequest, NotFixable, Outcome, codemod


@codemod
def show_without_gradient(request: FixRequest) -> Outcome:
    """`torch.zeros(n, requires_grad=True)` -> `torch.zeros(n)`."""
    call = request.call
    kept = [request.code(argument) for argument in call.args]
    kept += [f"{each.arg}={request.code(each.value)}" for each in call.keywords if each.arg != "requires_grad"]
    if any(keyword.arg is None for keyword in call.keywords):
        raise NotFixable("what its keywords are is not visible here")
    return shown(request, call, f"{request.code(call.func)}({', '.join(kept)})")
