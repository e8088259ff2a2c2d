"""The causes of an unknown value: from an expression back to its origin."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from breaklint.interp.callables import ClassValue, Function, Method, is_unknown
from breaklint.interp.describe import describe
from breaklint.interp.lattice import Value, options
from breaklint.interp.objects import Instance
from breaklint.interp.values import ExternalInstance, ExternalName
from breaklint.project.module import FunctionInfo
from breaklint.project.walking import walk

STEPS = 6  # back from an expression


def causes(node: ast.expr, function: FunctionInfo | None, values: Mapping[ast.AST, Value]) -> Iterator[str]:
    """The reasons why an expression is unknown, step by step; `values` are those of the trace."""
    for _ in range(STEPS):
        text, next_node = _cause(node, function, values)
        yield text
        if next_node is None:
            return
        node = next_node


def _cause(
    node: ast.expr, function: FunctionInfo | None, values: Mapping[ast.AST, Value]
) -> tuple[str, ast.expr | None]:
    """One step: its text, and the next expression."""
    text = ast.unparse(node)
    if isinstance(node, ast.Name):
        return _of_name(node, function)
    for part, role in _parts(node):
        if is_unknown(values.get(part)):
            return f"`{text}`: {role} `{ast.unparse(part)}` is unknown", part
    if isinstance(node, ast.Attribute):
        return f"`{text}`: {_of_attribute(values.get(node.value), node.attr)}", None
    if isinstance(node, ast.Call):
        return f"`{text}`: {_of_call(values.get(node.func))}", None
    return f"`{text}`: breaklint cannot infer its value", None


def _parts(node: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """The operands from which an expression's value comes, with their names."""
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        yield node.value, "the object"
    elif isinstance(node, ast.Call):
        yield node.func, "the callee"
    elif isinstance(node, ast.BinOp):
        yield node.left, "the operand"
        yield node.right, "the operand"
    elif isinstance(node, ast.IfExp):
        yield node.body, "the side"
        yield node.orelse, "the side"
    elif isinstance(node, ast.BoolOp):
        yield from ((value, "the operand") for value in node.values)
    elif isinstance(node, (ast.UnaryOp, ast.Starred, ast.NamedExpr)):
        yield getattr(node, "operand", None) or node.value, "the operand"  # type: ignore[union-attr]


def _of_name(node: ast.Name, function: FunctionInfo | None) -> tuple[str, ast.expr | None]:
    if function is None:
        return f"`{node.id}`: computed when the module is imported", None
    bound = None
    for statement in walk(function.node):
        source = _bound_by(statement, node.id)
        if source is not None and source.lineno <= node.lineno and (bound is None or bound.lineno < source.lineno):
            bound = source
    if bound is not None:
        return f"`{node.id}` is bound on line {bound.lineno}: `{ast.unparse(bound)}`", bound
    spec = function.node.args
    for parameter in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
        if parameter.arg == node.id:
            annotation = parameter.annotation
            description = "has no annotation, and breaklint cannot infer its value from calls"
            if annotation is not None and ast.unparse(annotation).endswith("Tensor"):
                text = ast.unparse(annotation)
                return f"`{node.id}` is a parameter: it is annotated `{text}`, and a call passes something else", None
            if annotation is not None:
                description = f"is annotated `{ast.unparse(annotation)}`, which says nothing of its value"
            return f"`{node.id}` is a parameter: it {description}", None
    return f"`{node.id}`: nothing in the project binds it", None


def _bound_by(node: ast.AST, name: str) -> ast.expr | None:
    """The expression whose value, or an item of it, a statement binds to a name."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.For, ast.comprehension)):
        targets = [node.target]
    source = getattr(node, "iter", None) or getattr(node, "value", None)
    parts = (part for target in targets for part in walk(target))
    binds = any(isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store) for part in parts)
    return source if binds and isinstance(source, ast.expr) else None


def _of_attribute(base: Value | None, name: str) -> str:
    if isinstance(base, Instance):
        return f"breaklint cannot infer a store to `{name}` in {base.cls.name}, or the stored value is unknown"
    if isinstance(base, ExternalInstance):
        return f"`{base.cls}` is outside of the project"
    return f"breaklint cannot infer `{name}` of {'this' if base is None else describe(base)}"


def _of_call(callee: Value | None) -> str:
    for option in options(callee) if callee is not None else ():
        if isinstance(option, Function):
            node = option.info.node
            return f"{option.info.name} ({option.info.module.path}:{node.lineno}) returns an unknown value"
        if isinstance(option, ExternalName):
            cause = (
                "the facts about torch do not contain its result"
                if option.name.startswith("torch.")
                else "outside of the project"
            )
            return f"`{option.name}`: {cause}"
        if isinstance(option, (ExternalInstance, ClassValue, Instance)):
            return f"{describe(option)}: breaklint cannot infer the result of a call"
        if isinstance(option, Method):
            return f"breaklint cannot infer the result of `{option.name}` of {describe(option.owner)}"
    return "breaklint cannot infer the result of the call"
