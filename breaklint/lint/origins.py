"""The expression that a finding comes from: the conversion of a tensor to a Python value."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from breaklint.interp.events import Call, Event, Index, Repeat, Truth
from breaklint.interp.interpreter import CallSite, Interpreter
from breaklint.interp.lattice import options
from breaklint.interp.values import Number, Tensor
from breaklint.project.module import FunctionInfo, Module
from breaklint.project.spans import encloses, end_of
from breaklint.project.syntax import begin_of
from breaklint.project.walking import statements, targets, walk

STEPS: Final = 12  # back from a finding
_NUMERIC: Final = frozenset({"int", "float", "bool", "round", "abs", "min", "max", "sum"})


class Origin(NamedTuple):
    """An expression in a function of a file."""

    module: Module
    function: FunctionInfo | None
    node: ast.expr


class Origins:
    """Follows values back through names, parameters, returns and arithmetic, in the regions of one file."""

    def __init__(self, interp: Interpreter) -> None:
        self._interp = interp
        self._calls: dict[FunctionInfo, list[CallSite]] = {}
        self._callees: dict[ast.AST, FunctionInfo] = {}
        for site in interp.call_sites:
            self._calls.setdefault(site.callee, []).append(site)
            if site.node is not None:
                self._callees[site.node] = site.callee

    def of(self, event: Event) -> Origin | None:
        """The origin of the value that an event reads; None if the value leaves the tensors at the event itself."""
        frame = event.frame
        for node in _operands(event):
            if not isinstance(event, Truth) and not self._leaves_tensors(node):
                continue
            steps = [Origin(frame.module, frame.function, node)]
            scalar = isinstance(event, Truth)  # of one element, and so are the operands of its comparison
            while len(steps) <= STEPS and (before := self._before(steps[-1], scalar)) is not None:
                steps.append(before)
                scalar = False
            computed = (step for step in reversed(steps[1:]) if not isinstance(step.node, ast.Name))
            result = next(computed, steps[-1])  # `labels != 0` is more informative than `labels`, a parameter
            if result is not steps[0] and result.node not in set(walk(event.node)):
                return result
        return None

    def _leaves_tensors(self, node: ast.expr, dimensions: tuple[int | None, ...] = (0, None)) -> bool:
        """Whether a value is a number from a tensor, or a tensor of one of these numbers of dimensions."""
        if isinstance(node, (ast.List, ast.Tuple)):
            return any(map(self._leaves_tensors, node.elts))
        value = self._interp.values.get(node)
        for option in options(value) if value is not None else ():
            if isinstance(option, Number) or (isinstance(option, Tensor) and option.ndim in dimensions):
                return True
        return False

    def _before(self, at: Origin, scalar: bool) -> Origin | None:
        """One step back; None if the value is computed from tensors."""
        node = at.node
        if isinstance(node, ast.Name):
            return self._assigned_value(at, node.id)
        if node in self._callees:
            return self._return_value(self._callees[node])
        is_mask = isinstance(node, ast.Compare) and not scalar
        dimensions = (0,) if is_mask else (0, None)
        for part in _computed_of(node):
            if self._leaves_tensors(part, dimensions):
                return at._replace(node=part)
        for part in _converted(node):
            if self._is_number(part):
                return at._replace(node=part)
        return None

    def _is_number(self, node: ast.expr) -> bool:
        value = self._interp.values.get(node)
        return value is not None and any(isinstance(option, Number) for option in options(value))

    def _assigned_value(self, at: Origin, name: str) -> Origin | None:
        """The value of the last assignment to a name above its use, or the argument of a call for a parameter."""
        if at.function is None:
            return None
        nodes = at.function.nodes
        stores = [node for node in (*nodes.of(ast.Assign), *nodes.of(ast.AugAssign)) if _binds(targets(node)[0], name)]
        above = [node for node in stores if end_of(node) <= begin_of(at.node) and not _is_other_side(node, at)]
        if not above:
            return self._argument(at.function, name)
        statement = max(above, key=end_of)
        if len(above) > 1 and not _is_certain(statement, at):  # the paths to the use may bind different values
            return None
        if not isinstance(statement, ast.Assign) or isinstance(statement.value, ast.Constant):
            return None
        if isinstance(statement.targets[0], ast.Name):
            return at._replace(node=statement.value)
        return self._tuple_item(at, statement, name)

    def _tuple_item(self, at: Origin, statement: ast.Assign, name: str) -> Origin | None:
        """The item that `a, b = value` binds to a name: of a display, or of the display that a function returns."""
        target, value = statement.targets[0], statement.value
        names = [item.id if isinstance(item, ast.Name) else "" for item in getattr(target, "elts", ())]
        if name not in names or not isinstance(target, (ast.Tuple, ast.List)):
            return None
        source: Origin | None = at._replace(node=value)
        if value in self._callees:
            source = self._return_value(self._callees[value])
        if source is None or not isinstance(source.node, ast.Tuple) or len(source.node.elts) != len(names):
            return None
        return source._replace(node=source.node.elts[names.index(name)])

    def _argument(self, function: FunctionInfo, name: str) -> Origin | None:
        """The argument of the first call of a function, those without conditions before the others."""
        sites = self._calls.get(function, [])
        for site in sorted(sites, key=lambda site: len(site.context.conditions)):
            node = _argument(site, name)
            if node is not None:
                return Origin(site.frame.module, site.frame.function, node)
        return None

    def _return_value(self, function: FunctionInfo) -> Origin | None:
        """The returned expression of a function with one `return`."""
        returns = [node for node in function.nodes.of(ast.Return) if node.value is not None]
        if len(returns) != 1 or returns[0].value is None:
            return None
        return Origin(function.module, function, returns[0].value)


def _binds(target: ast.expr, name: str) -> bool:
    """Whether a target of an assignment is a name, or a display with it."""
    items = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return any(isinstance(item, ast.Name) and item.id == name for item in items)


def _is_certain(statement: ast.stmt, at: Origin) -> bool:
    """Whether a statement is in a block around a later expression of its function."""
    assert at.function is not None
    inner = statements(at.function.node)
    blocks = (getattr(each, name, ()) for each in inner for name in ("body", "orelse", "finalbody"))
    return any(statement in block and encloses(block, at.node) for block in blocks)


def _is_other_side(statement: ast.stmt, at: Origin) -> bool:
    """Whether a statement is in the body of an `if`, and a later expression in its `else`."""
    branches = at.function.nodes.of(ast.If) if at.function is not None else ()
    return any(encloses(each.body, statement) and encloses(each.orelse, at.node) for each in branches)


def _operands(event: Event) -> Iterator[ast.expr]:
    """The parts of an event's code whose values decide whether the graph breaks."""
    node = event.node
    if isinstance(event, Truth):
        yield event.node if isinstance(event.node, ast.expr) else ast.Constant(None)
    elif isinstance(event, Index) and isinstance(node, ast.Subscript):
        yield from _parts(node.slice)
    elif isinstance(event, Call) and isinstance(node, ast.Call):
        for argument in (*node.args, *(word.value for word in node.keywords)):
            yield from _parts(argument)
    elif isinstance(event, Repeat) and isinstance(node, ast.BinOp):
        yield from (node.left, node.right)


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """An argument, or the items of one that is a display or a slice."""
    if isinstance(node, (ast.Tuple, ast.List)):
        for item in node.elts:
            yield from _parts(item)
    elif isinstance(node, ast.Slice):
        yield from (bound for bound in (node.lower, node.upper, node.step) if bound is not None)
    else:
        yield node


def _converted(node: ast.expr) -> Sequence[ast.expr]:
    """The arguments of a builtin that returns a number for numbers, and reads the number of a tensor."""
    is_builtin = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _NUMERIC
    return node.args if is_builtin and isinstance(node, ast.Call) else ()


def _computed_of(node: ast.expr) -> Sequence[ast.expr]:
    """The operands of arithmetic, comparisons and displays."""
    if isinstance(node, ast.BinOp):
        return node.left, node.right
    if isinstance(node, ast.UnaryOp):
        return (node.operand,)
    if isinstance(node, ast.Compare):
        return node.left, *node.comparators
    if isinstance(node, (ast.BoolOp, ast.Tuple, ast.List)):
        return node.values if isinstance(node, ast.BoolOp) else node.elts
    if isinstance(node, ast.IfExp):
        return node.body, node.orelse
    return ()


def _argument(site: CallSite, name: str) -> ast.expr | None:
    """The expression that a call passes for a parameter."""
    if not isinstance(site.node, ast.Call):
        return None
    for word in site.node.keywords:
        if word.arg == name:
            return word.value
    spec = site.callee.node.args
    names = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)]
    if site.callee.cls is not None and isinstance(site.node.func, ast.Attribute):
        names = names[1:]
    arguments = site.node.args
    if name not in names or any(isinstance(argument, ast.Starred) for argument in arguments):
        return None
    place = names.index(name)
    return arguments[place] if place < len(arguments) else None
