"""Functions and classes that Dynamo cannot represent."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.callables import ClassValue, Function
from breaklint.interp.events import Call, ClassDefinition, Index, SetAttribute, UnboundCall
from breaklint.interp.objects import Instance
from breaklint.interp.transfer import builtin_getattr
from breaklint.interp.values import ExternalName
from breaklint.project.syntax import is_literal, keyword_of
from breaklint.project.walking import dotted_name
from breaklint.rules.base import NO_RESUME, Check, Hit

# No schema: the classes that TypeError derives from.
CATCHING: Final = frozenset({"TypeError", "Exception", "BaseException"})

# No schema: bases of generic classes, and the aliases of NumPy with a type variable.
GENERIC: Final = frozenset({"typing.Generic", "typing_extensions.Generic"})
ALIASES: Final = frozenset({"numpy.typing.NDArray"})


class FunctionAttribute(Check):
    """`helper.calls = 1` and `setattr(helper, "calls", 1)` on a function, and `Net.calls = 1` on a class."""

    def applies_to(self, target: str, method: str) -> bool:
        return target == "builtins.setattr"

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if call.args and isinstance(call.args[0], Function):
            yield Hit(call.node)

    def visit_set_attribute(self, attribute: SetAttribute) -> Iterator[Hit]:
        if isinstance(attribute.base, Function):
            yield Hit(attribute.node)
        elif isinstance(attribute.base, ClassValue) and not attribute.frame.interp.facts.does("stores in classes"):
            yield Hit(attribute.node, "`{source}` stores an attribute of a class")


class ClassStatement(Check):
    """A `class` statement in compiled code."""

    def visit_class_definition(self, definition: ClassDefinition) -> Iterator[Hit]:
        name = definition.node.name
        yield Hit(definition.node, f"the class `{name}` is defined in compiled code, which Dynamo does not trace")


class SubscriptedClass(Check):
    """`Stack[int](2)` of a generic class, `list[int]()`, and an alias with type variables: `cast(NDArray[int], x)`."""

    def visit_index(self, index: Index) -> Iterator[Hit]:
        base, project, module = index.base, index.frame.interp.project, index.frame.module
        if isinstance(base, ClassValue):
            if not GENERIC.isdisjoint(project.external_bases(base.info)):
                yield Hit(index.node)
        elif isinstance(base, ExternalName) and base.name.startswith(("builtins.", "collections.", "numpy.typing.")):
            alias = isinstance(project.resolve(module, dotted_name(index.node.value) or "?"), tuple)
            if alias or base.name in ALIASES or _is_called(index):
                yield Hit(index.node)


def _is_called(index: Index) -> bool:
    info = index.frame.function
    return info is not None and any(call.func is index.node for call in info.nodes.of(ast.Call))


class BuiltinGetattr(Check):
    """`config.width` and `hasattr(config, "width")` if the class has `__getattr__ = dict.get`."""

    def applies_to(self, target: str, method: str) -> bool:
        return method == "__getattr__" or target == "builtins.hasattr"

    def visit_call(self, call: Call) -> Iterator[Hit]:
        owner = call.owner if call.method else call.args[0] if call.args else None
        if isinstance(owner, Instance) and (call.method or builtin_getattr.is_there(call.frame, owner)):
            yield Hit(call.node, end=NO_RESUME if isinstance(call.node, ast.Attribute) else "")


class PartialTypedDict(Check):
    """A call of a TypedDict class with `total=False`."""

    def applies_to(self, target: str, method: str) -> bool:
        return bool(target) and not target.startswith(("torch.", "builtins.", "numpy."))

    def visit_call(self, call: Call) -> Iterator[Hit]:
        callee = call.frame.interp.values.get(call.node.func) if isinstance(call.node, ast.Call) else None
        if isinstance(callee, ClassValue) and is_literal(keyword_of(callee.info.node, "total"), False):
            yield Hit(call.node)


class CaughtTypeError(Check):
    """`try: layer(x, mask=mask)` and `except TypeError:` if the layer does not accept `mask`."""

    def visit_unbound_call(self, call: UnboundCall) -> Iterator[Hit]:
        info = call.frame.function
        tries = info.nodes.of(ast.Try) if info is not None else []
        if any(_holds(node.body, call.node) and any(map(_catches, node.handlers)) for node in tries):
            callee = call.node.func if isinstance(call.node, ast.Call) else call.node
            yield Hit(call.node, f"`{ast.unparse(callee)}` {call.why}: the TypeError breaks the graph")


def _holds(body: list[ast.stmt], node: ast.expr) -> bool:
    """Whether a node is inside one of some statements."""
    first, last = body[0], body[-1]
    start, end = (first.lineno, first.col_offset), (last.end_lineno or 0, last.end_col_offset or 0)
    return start <= (node.lineno, node.col_offset) < end


def _catches(handler: ast.ExceptHandler) -> bool:
    """Whether a handler catches a TypeError by one of its usual names."""
    kind = handler.type
    if kind is None:
        return True
    return any(isinstance(item, ast.Name) and item.id in CATCHING for item in getattr(kind, "elts", [kind]))
