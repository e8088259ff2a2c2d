"""Functions that return their argument, such as decorators that write documentation or fill a registry."""

from __future__ import annotations

import ast

from breaklint.project.module import FunctionInfo
from breaklint.project.own_names import NESTED, declared, own_names
from breaklint.project.syntax import first_name
from breaklint.project.walking import children, dotted_name


def returned_parameter(info: FunctionInfo) -> str:
    """The parameter that every call of a function returns, or that Dynamo traces instead of the result, else "".

    In the first case, the function stores only in its arguments and in objects that it creates, so that no call
    has to be interpreted for its effects on other names.
    """
    return info.derive(_returned_parameter)


def _returned_parameter(info: FunctionInfo) -> str:
    node = info.node
    if not isinstance(node, ast.FunctionDef) or not isinstance(node.body[-1], ast.Return) or info.is_generator:
        return ""
    parameters = [*node.args.posonlyargs, *node.args.args]
    last = node.body[-1].value
    name = last.id if isinstance(last, ast.Name) else ""
    names = [parameter.arg for parameter in parameters]
    if name not in names or declared(node):
        original = _original(node, name)
        return original if original in names else ""
    bound = [bound for statement in node.body for bound, _ in own_names(statement)]
    if name in bound or not all(_keeps(statement, name, {*bound, name}) for statement in node.body):
        return ""
    return name


def _original(node: ast.FunctionDef, wrapper: str) -> str:
    """The function that Dynamo traces instead of a wrapper with the attributes of `torch.jit.script_if_tracing`."""
    stores = (statement for statement in node.body if isinstance(statement, ast.Assign))
    values = {dotted_name(target): statement.value for statement in stores for target in statement.targets}
    original, mark = values.get(f"{wrapper}.__original_fn"), values.get(f"{wrapper}.__script_if_tracing_wrapper")
    is_marked = isinstance(mark, ast.Constant) and bool(mark.value)
    return original.id if is_marked and isinstance(original, ast.Name) else ""


def _keeps(node: ast.AST, name: str, own: set[str]) -> bool:
    """Whether code returns only a name, and stores only into its own values."""
    if isinstance(node, NESTED):
        return not isinstance(node, ast.ClassDef)
    if isinstance(node, ast.Return):
        return isinstance(node.value, ast.Name) and node.value.id == name
    if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        return first_name(node) in own
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _hands_on(node.value, name):
        return first_name(_changed(node.value)) in own
    return all(_keeps(child, name, own) for child in children(node))


def _changed(call: ast.Call) -> ast.expr:
    """The object that a call may change: the first argument of `setattr`, else that of a method."""
    is_setattr = isinstance(call.func, ast.Name) and call.func.id == "setattr" and len(call.args) == 3
    return call.args[0] if is_setattr and not _hands_on(call.args[2], first_name(call.args[0])) else call.func


def _hands_on(node: ast.AST, name: str) -> bool:
    """Whether code uses the value of a name itself, not only its attributes (`registry.append(function)`)."""
    if isinstance(node, ast.Name):
        return node.id == name
    inside = [] if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) else children(node)
    return any(_hands_on(child, name) for child in inside)
