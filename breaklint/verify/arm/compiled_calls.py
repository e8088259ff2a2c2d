"""The further calls of a compiled model, compared with those of the original."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from breaklint.dynamo.listener import Listener
from breaklint.verify.arm.calls import DEVICE_ERROR, Case, clone
from breaklint.verify.arm.process import in_one_line
from breaklint.verify.arm.record import named_tensors
from breaklint.verify.arm.session import ArmSession, Probe, guards_unmeasured


class Ready:
    """A compiled model that has not been called yet, and the state to bring it back to before each further call."""

    def __init__(self, case: Case, call: Callable[..., Any]) -> None:
        self.case, self.call = case, call
        self._before = {name: value.detach().clone() for name, value in named_tensors(case.model).items()}

    def restore(self) -> None:
        """Restore parameters, gradients and buffers after calls."""
        with torch.no_grad():
            for name, value in named_tensors(self.case.model).items():
                value.grad = None
                if name in self._before and self._before[name].shape == value.shape:
                    value.copy_(self._before[name])


def compiled_calls(session: ArmSession, ready: Ready, raising: bool) -> list[dict[str, Any]]:
    """Make the further calls with the compiled model; `raising` selects those in which the original raises.

    On CUDA a failing assert leaves the process unfit for others. A call that differs is repeated in a fresh model.
    """
    calls = []
    for probe in [probe for probe in session.shared.probes if probe.compiled and probe.raises == raising]:
        ready.restore()
        with guards_unmeasured(), Listener() as trace:
            case = Case(ready.case.model, *clone(probe.inputs))
            differing = _compiled_differences(session, probe, case, ready.call)
        calls.append({"name": probe.name, "sized": probe.sized, "recompiles": trace.recompiles})
        calls[-1]["differences"] = differing and _alone(session, probe)
    return calls


def _alone(session: ArmSession, probe: Probe) -> list[str]:
    session.forget_compiled()
    case = session.fresh(probe.inputs)
    return _compiled_differences(session, probe, case, session.compiled(case.model))


def _compiled_differences(session: ArmSession, probe: Probe, case: Case, call: Callable[..., Any]) -> list[str]:
    try:
        record = session.observe(case, call=call, gradients=session.setup.train)
    except Exception as error:
        if type(error).__name__ == DEVICE_ERROR and not probe.raises:
            raise
        record = {"raised": in_one_line(error)}
        if probe.raises:  # the compiler may put it in other words
            return []
    return [f"with {probe.name}: {line}" for line in session.compare(probe.record, record, probe.exact, False)]
