"""Calls of torch.autograd.Function, whose forward and backward Dynamo traces."""

from __future__ import annotations

import ast

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import ClassValue, Function
from breaklint.interp.containers import Tuple
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.values import ExternalInstance, Tensor
from breaklint.project.module import FunctionInfo


def apply_autograd_function(frame: Frame, owner: ClassValue, call_arguments: Arguments) -> Value:
    """`F.apply(...)` of a torch.autograd.Function: Dynamo traces forward and backward."""
    project = frame.interp.project
    forward, backward = project.method(owner.info, "forward"), project.method(owner.info, "backward")
    setup = project.method(owner.info, "setup_context")
    if forward is None:
        return UNKNOWN
    ctx = ExternalInstance("torch.autograd.function.FunctionCtx")
    arguments = [ctx, *call_arguments.args] if setup is None else call_arguments.args
    result = frame.interp.call(
        frame, _of_function(owner, forward), arguments, call_arguments.kwargs, call_arguments.starred
    )
    if setup is not None:
        frame.interp.call(frame, _of_function(owner, setup), [ctx, Tuple(tuple(call_arguments.args)), result], {})
    if backward is not None and project.method(owner.info, "jvp") is None:  # else Dynamo does not trace the Function
        method = _of_function(owner, backward)
        frame.interp.call(frame, method, [ctx, *_gradients(method)], {})
    return result


def _of_function(owner: ClassValue, method: FunctionInfo) -> Function:
    return Function(method, owner) if method.is_classmethod else Function(method)


def _gradients(backward: Function) -> list[Value]:
    node = backward.info.node
    assert not isinstance(node, ast.Lambda)
    first = 1 if backward.owner is None else 2
    return [Tensor("float") for _ in node.args.args[first:]]
