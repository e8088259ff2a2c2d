"""Context managers that are made outside the traced code and kept: most of them cannot be entered in a graph."""

from __future__ import annotations

from typing import Final

from breaklint.interp.frame import Frame
from breaklint.interp.lattice import Value, options
from breaklint.interp.objects import Instance
from breaklint.interp.values import ExternalInstance

# Autocast, nullcontext and record_function can be entered wherever they come from.
KEPT: Final = frozenset({
    "torch.no_grad", "torch.enable_grad", "torch.set_grad_enabled", "torch.inference_mode", "torch.device",
    "torch.profiler.profile", "torch.nn.attention.sdpa_kernel", "torch.nn.utils.parametrize.cached",
    "contextlib.suppress", "contextlib.ExitStack",
})  # fmt: skip


def made_outside(frame: Frame, name: str) -> Value | None:
    """The context manager that calling `name` in a constructor or at module level makes, if it is one of `KEPT`."""
    return ExternalInstance(name) if not frame.context.traced and name in KEPT else None


def cannot_be_entered(frame: Frame, value: Value) -> bool:
    """Whether all that a value may be are context managers from outside the traced code."""
    return all(_cannot(frame, option) for option in options(value))


def _cannot(frame: Frame, value: Value) -> bool:
    if isinstance(value, Instance):
        return value.outside and frame.interp.project.method(value.cls, "__enter__") is not None
    return isinstance(value, ExternalInstance) and value.cls in KEPT
