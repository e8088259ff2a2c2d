"""Calls of modules: of the project's classes, of torch.nn layers and of containers of modules."""

from __future__ import annotations

import ast

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import Function
from breaklint.interp.containers import Sequence
from breaklint.interp.events import Call
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Value, join
from breaklint.interp.models import torch_layers
from breaklint.interp.objects import Instance
from breaklint.interp.transfer import class_decorators
from breaklint.interp.transfer.functions import call_function


def call_instance(
    frame: Frame, node: ast.expr, owner: Instance, arguments: Arguments, by: tuple[str, ...] = ("__call__", "forward")
) -> Value:
    """Call an instance of a class of the project: its `__call__`, or a module's forward."""
    project = frame.interp.project
    for name in by:
        method = project.method(owner.cls, name)
        if method is not None:
            other = class_decorators.replaced_method(frame.interp, owner.cls, name, owner)
            return call_function(frame, node, other or Function.of(owner, method), arguments)
    bases = [base for base in project.external_bases(owner.cls) if base.startswith("torch.nn.")]
    if bases and bases[0] == "torch.nn.Sequential":
        return call_sequential(frame, node, owner.get("*") or UNKNOWN, arguments)
    return call_external(frame, node, bases[0], arguments) if bases else UNKNOWN


def call_external(frame: Frame, node: ast.expr, cls: str, arguments: Arguments) -> Value:
    """Call an object of a class outside the project, such as a torch.nn layer."""
    frame.emit(Call(node, frame, "", arguments.args, arguments.kwargs, instance=cls, starred=arguments.starred))
    return torch_layers.call_module(frame, cls, arguments)


def call_sequential(frame: Frame, node: ast.expr, callee: Value, arguments: Arguments) -> Value:
    """Call the layers of an nn.Sequential one after the other."""
    if not isinstance(callee, Sequence):
        return UNKNOWN
    value = arguments.get(0) or UNKNOWN
    if callee.items is not None:
        for layer in callee.items:
            frame.step()  # layers may hold each other, so that there are many more calls than expressions
            value = frame.interp.invoke(frame, node, layer, Arguments([value], {}))
        return value
    if callee.element is None:
        return value
    for _ in range(2):
        value = join(value, frame.interp.invoke(frame, node, callee.element, Arguments([value], {})))
    return frame.interp.invoke(frame, node, callee.element, Arguments([value], {}))
