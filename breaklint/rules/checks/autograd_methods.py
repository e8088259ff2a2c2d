"""Declarations of the methods of a torch.autograd.Function, and stores of its `apply`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.interp.callables import ClassValue
from breaklint.interp.events import Call
from breaklint.interp.lattice import UNKNOWN, options
from breaklint.interp.models.instances import is_module
from breaklint.interp.objects import Instance
from breaklint.interp.transfer.attributes import is_autograd_function
from breaklint.interp.values import CONSTANT, Tensor
from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.project.project import Project
from breaklint.rules.base import Check, Hit


class AutogradClassmethod(Check):
    """`F.apply(t)` of a Function with a classmethod as forward or backward, or with a `jvp`; the tensor may need a
    gradient."""

    def applies_to(self, target: str, method: str) -> bool:
        return method == "apply"

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if not isinstance(call.owner, ClassValue):
            return
        needs = any(isinstance(value, Tensor) and value.role in ("", CONSTANT, "parameter") for value in call.args)
        function = needs and is_autograd_function(call.frame, call.owner.info)
        if function and classmethods(call.frame.interp.project, call.owner.info):
            yield Hit(call.node)
        elif function and call.frame.interp.project.method(call.owner.info, "jvp") is not None:
            yield Hit(call.node, target="jvp")


def classmethods(project: Project, cls: ClassInfo) -> list[FunctionInfo]:
    """The classmethods among forward and backward of a Function."""
    methods = [project.method(cls, name) for name in ("forward", "backward")]
    return [method for method in methods if method is not None and method.is_classmethod]


class AutogradApplyAttribute(Check):
    """`self.round(x)` if `self.round` is `Round.apply`: Dynamo does not find the Function of the attribute."""

    def applies_to(self, target: str, method: str) -> bool:
        return method == "apply"

    def visit_call(self, call: Call) -> Iterator[Hit]:
        function = call.node.func if isinstance(call.node, ast.Call) else None
        if not (
            isinstance(function, ast.Attribute) and function.attr != "apply" and isinstance(call.owner, ClassValue)
        ):
            return
        holders = options(call.frame.interp.values.get(function.value, UNKNOWN))
        modules = all(isinstance(holder, Instance) and is_module(call.frame.interp, holder.cls) for holder in holders)
        if modules and is_autograd_function(call.frame, call.owner.info):
            yield Hit(call.node)
