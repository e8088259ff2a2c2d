"""The length of a loop, if literals or defaults determine it: `for layer in self.layers`, `range(config.depth)`."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import Final, NamedTuple

from breaklint.interp.interpreter import CallSite
from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.project.project import Project
from breaklint.project.scope import single_name
from breaklint.project.spans import encloses
from breaklint.project.stored_names import storing
from breaklint.project.syntax import own_attribute
from breaklint.project.walking import dotted_name, walk
from breaklint.rules.default_arguments import constant_defaults

_LOOPS: Final = frozenset({"loop", "comprehension", "generator"})
_COMPREHENSIONS: Final = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)
_AS_LONG: Final = frozenset({"enumerate", "reversed", "zip", "list", "tuple", "ModuleList"})  # as the first argument


def turns_of(site: CallSite) -> int:
    """The number of times that the loops of its function repeat a call; a loop of unknown length counts once."""
    function = site.frame.function
    if function is None or site.node is None or _LOOPS.isdisjoint(site.context.blocks):
        return 1
    lengths = _Lengths(site.frame.interp.project, function)
    return math.prod(max(1, lengths.of(iterated)) for iterated in _loops_around(function, site.node))


def _loops_around(function: FunctionInfo, node: ast.expr) -> Iterator[ast.expr]:
    """The iterated expressions of the loops whose bodies contain a node."""
    for loop in function.nodes.of(ast.For):
        if encloses(loop.body, node):
            yield loop.iter
    for kind in _COMPREHENSIONS:
        for inner in function.nodes.of(kind):
            body = getattr(inner, "elt", getattr(inner, "value", None))
            if body is not None and encloses([body], node):
                yield inner.generators[0].iter  # type: ignore[attr-defined]


class _Lengths(NamedTuple):
    """The lengths of expressions in a function."""

    project: Project
    function: FunctionInfo

    def of(self, node: ast.expr) -> int:
        """The number of items of an expression; 0 if it is unknown."""
        if isinstance(node, (ast.List, ast.Tuple)):
            return len(node.elts)
        if isinstance(node, _COMPREHENSIONS):
            return self.of(node.generators[0].iter) if len(node.generators) == 1 else 0
        if isinstance(node, ast.Call) and node.args:
            return self._of_call(node)
        if isinstance(node, ast.BinOp):
            return self._of_operation(node)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            part = node.slice
            first, last = (None if bound is None else self._number(bound) for bound in (part.lower, part.upper))
            return len(range(self.of(node.value))[first:last]) if part.step is None else 0
        if isinstance(node, ast.Name):
            stores = [item.value for item in self.function.nodes.of(ast.Assign) if single_name(item) == node.id]
            return self.of(stores[0]) if len(stores) == 1 and node not in walk(stores[0]) else 0
        return self._of_attribute(own_attribute(node))

    def _of_call(self, node: ast.Call) -> int:
        """The length of `range(depth)`, or of the argument of a call that preserves length."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == "range":
            bounds = [self._number(argument) for argument in node.args]
            return len(range(*(bound or 0 for bound in bounds))) if None not in bounds and 0 not in bounds[2:] else 0
        return self.of(node.args[0]) if name in _AS_LONG else 0

    def _of_operation(self, node: ast.BinOp) -> int:
        """The length of `[3] + [width] * depth`."""
        left = self.of(node.left)
        if isinstance(node.op, ast.Mult):
            return left * (self._number(node.right) or 0)
        right = self.of(node.right)
        return left + right if isinstance(node.op, ast.Add) and left and right else 0

    def _of_attribute(self, name: str) -> int:
        """The length of the value that the only storing method of the class stores in an attribute."""
        cls = self.function.cls
        methods = [cls.methods[store.method] for store in storing(cls, name) if store.itself] if cls and name else []
        if len(methods) != 1 or methods[0] is self.function:
            return 0
        targets = ((item.targets[0], item.value) for item in methods[0].nodes.of(ast.Assign))
        value = next((value for target, value in targets if own_attribute(target) == name), None)
        return self._replace(function=methods[0]).of(value) if value is not None else 0

    def _number(self, node: ast.expr) -> int | None:
        """The integer that is literal, the default of a parameter, or of an attribute of its annotated class."""
        value: object = getattr(node, "value", None)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = -(self._number(node.operand) or 0)
        elif isinstance(node, ast.Name):
            value = constant_defaults(self.function).get(node.id)
        elif isinstance(node, ast.Attribute):
            value = self._default_of(node)
        return value if isinstance(value, int) else None

    def _default_of(self, node: ast.Attribute) -> object:
        """`depth` of `config.depth` for `config: Config`, if that class, or its constructor, has a literal default."""
        spec = self.function.node.args
        annotations = {parameter.arg: parameter.annotation for parameter in (*spec.args, *spec.kwonlyargs)}
        name = dotted_name(annotations.get(node.value.id)) if isinstance(node.value, ast.Name) else None
        cls = self.project.resolve(self.function.module, name) if name else None
        if not isinstance(cls, ClassInfo):
            return None
        value, init = cls.attributes.get(node.attr), cls.methods.get("__init__")
        defaults = constant_defaults(init) if init is not None else {}
        return value.value if isinstance(value, ast.Constant) else defaults.get(node.attr)
