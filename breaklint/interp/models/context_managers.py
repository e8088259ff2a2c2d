"""Context managers that are created outside the traced code: most of them cannot be entered in a graph."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Value, options
from breaklint.interp.objects import Instance
from breaklint.interp.sequences import Sequence
from breaklint.interp.values import ExternalInstance, ExternalName

# Autocast, nullcontext and record_function can be entered wherever they are created.
LIBRARY_CONTEXTS: Final = frozenset({
    "torch.no_grad", "torch.enable_grad", "torch.set_grad_enabled", "torch.inference_mode", "torch.device",
    "torch.profiler.profile", "torch.nn.attention.sdpa_kernel", "torch.nn.utils.parametrize.cached",
    "contextlib.suppress", "contextlib.ExitStack",
})  # fmt: skip
# Those of them that Dynamo enters like objects of the project; torch's own are not entered in any version.
PLAIN: Final = ("contextlib.suppress", "contextlib.ExitStack")
# Generators with a decorator: they can be entered once.
GENERATORS: Final = ("torch.nn.attention.sdpa_kernel", "torch.nn.utils.parametrize.cached")


def made_outside(frame: Frame, name: str) -> Value | None:
    """One of `LIBRARY_CONTEXTS` that a call in a constructor or at module level creates."""
    return ExternalInstance(name) if not frame.context.traced and name in LIBRARY_CONTEXTS else None


def is_python(name: str, value: Value) -> bool:
    """Whether a context manager is Python code that Dynamo traces, so that it cannot resume in the block."""
    of_library = name.startswith(("contextlib.", "warnings.")) and name != "contextlib.nullcontext"
    return of_library or isinstance(value, (Instance, Sequence))


def enters_stacked(frame: Frame, node: ast.expr, owner: Value, name: str, arguments: Arguments) -> bool:
    """Whether Dynamo traces `stack.enter_context(manager)`: yes for a class or generator of the project, no for one of
    a library or one created outside. For an unknown value it may be either."""
    is_stack = isinstance(owner, ExternalInstance) and owner.cls == "contextlib.ExitStack" and name == "enter_context"
    if not (is_stack and arguments.args and isinstance(node, ast.Call) and node.args):
        return False
    manager = arguments.args[0]
    if manager is not UNKNOWN:
        return not any(isinstance(option, ExternalInstance) or _cannot(frame, option) for option in options(manager))
    callee = node.args[0].func if isinstance(node.args[0], ast.Call) else None
    return callee is None or not isinstance(frame.interp.values.get(callee), ExternalName)


def cannot_be_entered(frame: Frame, value: Value) -> bool:
    """Whether all options of a value are context managers from outside the traced code."""
    return all(_cannot(frame, option) for option in options(value))


def _cannot(frame: Frame, value: Value) -> bool:
    is_traced = frame.interp.facts.traces("external-context")
    if isinstance(value, Instance):
        return not is_traced and value.outside and frame.interp.project.method(value.cls, "__enter__") is not None
    if not isinstance(value, ExternalInstance) or value.cls not in LIBRARY_CONTEXTS:
        return False
    return not (is_traced and (value.cls in PLAIN or value.cls in GENERATORS))
