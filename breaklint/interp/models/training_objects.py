"""Optimizers, schedulers and gradient scalers that are recognized only by the methods that code calls on them."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.frame import Frame
from breaklint.project.module import FunctionInfo
from breaklint.project.walking import dotted_name

OPTIMIZER: Final = "torch.optim.Optimizer"
SCHEDULER: Final = "torch.optim.lr_scheduler.LRScheduler"
SCALER: Final = "torch.amp.GradScaler"
# No schema: the methods that belong together, and the usual names of these objects.
METHODS: Final = frozenset({"step", "zero_grad", "scale", "update", "unscale_"})
TOGETHER: Final = (
    (SCALER, frozenset({"scale", "update"})),
    (SCALER, frozenset({"scale", "unscale_"})),
    (OPTIMIZER, frozenset({"zero_grad", "step"})),
    (OPTIMIZER, frozenset({"param_groups", "step"})),
)
NAMED: Final = (("sched", SCHEDULER), ("optim", OPTIMIZER))


def class_by_use(frame: Frame, node: ast.expr) -> str:
    """The class of an unknown object by the methods that are called on it, "" if they do not determine it.

    The uses of an attribute of `self` are those in all methods of the class, of another name those in the function. A
    `step` with several arguments is that of another object: a sampler or an environment.
    """
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or frame.function is None:
        return ""
    dotted = dotted_name(node.func.value)
    if dotted is None or len(node.args) + len(node.keywords) > 1:
        return ""
    methods = {name for info in _functions(frame.function, dotted) for name in _attributes(info, dotted)}
    by_methods = next((cls for cls, names in TOGETHER if names <= methods), "")
    name = dotted.rpartition(".")[2].lower()
    by_name = next((cls for word, cls in NAMED if word in name and "step" in methods), "")
    return by_name if SCHEDULER in (by_name, by_methods) else by_methods or by_name


def _functions(function: FunctionInfo, dotted: str) -> list[FunctionInfo]:
    of_self = dotted.startswith("self.") and function.cls is not None
    return [*function.cls.methods.values()] if of_self and function.cls is not None else [function]


def _attributes(info: FunctionInfo, dotted: str) -> set[str]:
    """The attributes that a function reads from the object of a dotted name."""
    if not info.may_hold(dotted.rpartition(".")[2]):
        return set()
    return {node.attr for node in info.nodes.of(ast.Attribute) if dotted_name(node.value) == dotted}
