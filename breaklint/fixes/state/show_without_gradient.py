"""A new tensor without `requires_grad=True`: shown, never written."""

from __future__ import annotations

from breaklint.analysis.queries import Doubt, required
from breaklint.fixes.protocol import Match, Steps, fix


@fix("show-without-gradient")
def show_without_gradient(m: Match) -> Steps:
    """`torch.zeros(n, requires_grad=True)` -> `torch.zeros(n)`."""
    request, call = m.request, m.request.call
    kept = [request.code(argument) for argument in call.args]
    kept += [f"{each.arg}={request.code(each.value)}" for each in call.keywords if each.arg != "requires_grad"]
    told = all(keyword.arg is not None for keyword in call.keywords)
    yield required(told, "what its keywords are is not visible here")
    yield Doubt(request.rule.fix_why)
    return m.advised(call, f"{request.code(call.func)}({', '.join(kept)})")
