"""Expressions: names, attributes, operators, displays and subscripts."""

# ruff: noqa: D102 - the methods of one kind of node are named by it

from __future__ import annotations

import ast
import operator
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from breaklint.project.module import Module
from breaklint.recompiles import shapes
from breaklint.recompiles.changes import Site
from breaklint.recompiles.objects import UNKNOWN, Closure, DefaultDict, External, Lazy, Obj, Tensor, Unknown
from breaklint.recompiles.operations import apply, binary
from breaklint.recompiles.python_operations import MAX_ITEMS, OPERATORS, run_python
from breaklint.recompiles.scopes import MISSING, Raised, Scope, Undecided
from breaklint.recompiles.symbols import Sym, key_of, specialised

if TYPE_CHECKING:
    from breaklint.project.project import Project
    from breaklint.recompiles.changes import Changes
    from breaklint.recompiles.tracing import Trace


class Expressions(ABC):
    """Evaluates expressions."""

    def __init__(self, project: Project, world: Any, trace: Trace | None) -> None:
        self.project, self.world, self.trace = project, world, trace
        self.changes: Changes | None = None  # where to note what changes state
        self.site: Site | None = None  # the call that runs

    @abstractmethod
    def step(self, node: ast.AST, scope: Scope) -> None:
        """Count work, and note the row for guards."""

    @abstractmethod
    def attribute(self, owner: Any, name: str) -> Any:
        """An attribute of a value."""

    @abstractmethod
    def call(self, callee: Any, args: list[Any], kwargs: dict[str, Any], scope: Scope | None = None) -> Any:
        """What a call gives."""

    @abstractmethod
    def load_global(self, module: Module, name: str) -> Any:
        """A name of a module's top level, or a builtin."""

    @abstractmethod
    def assign(self, target: ast.expr, value: Any, scope: Scope) -> None:
        """Store a value in a variable, an attribute or an item."""

    def force(self, value: Any) -> Any:
        """A value as code uses it."""
        if isinstance(value, Lazy):
            return value.value if self.trace is None else self.trace.force(value)
        return value

    def eval(self, node: ast.expr, scope: Scope) -> Any:
        """The value of an expression that is used."""
        value = self.eval_lazy(node, scope)
        if self.trace is not None and isinstance(value, (Lazy, Sym)):
            self.trace.node = node
        return self.force(value)

    def eval_lazy(self, node: ast.expr, scope: Scope) -> Any:
        """The value of an expression that may only be passed on."""
        self.step(node, scope)
        visit = getattr(self, f"eval_{type(node).__name__}", None)
        if visit is None:
            return UNKNOWN
        try:
            return visit(node, scope)
        except Undecided:
            return UNKNOWN

    def eval_Constant(self, node: ast.Constant, scope: Scope) -> Any:
        return node.value

    def eval_Name(self, node: ast.Name, scope: Scope) -> Any:
        found = MISSING if node.id in scope.globals else scope.find(node.id)
        return self.load_global(scope.module, node.id) if found is MISSING else found

    def note_change(self, owner: Any, node: ast.AST | None = None, scope: Scope | None = None, name: str = "") -> None:
        """Note that an attribute, or the contents of a container, changes: at a node, else at the call that runs."""
        if self.changes is not None:
            site = self.site if node is None or scope is None else Site(scope.module, node)
            if name:
                self.changes.attribute(owner, name, site)
            else:
                self.changes.container(owner, site)

    def eval_Attribute(self, node: ast.Attribute, scope: Scope) -> Any:
        return self.attribute(self.eval(node.value, scope), node.attr)

    def eval_NamedExpr(self, node: ast.NamedExpr, scope: Scope) -> Any:
        value = self.eval_lazy(node.value, scope)
        self.assign(node.target, value, scope)
        return value

    def eval_Lambda(self, node: ast.Lambda, scope: Scope) -> Any:
        return Closure(None, node, scope.module, scope, scope.cls)

    def eval_Tuple(self, node: ast.Tuple, scope: Scope) -> Any:
        return tuple(self._elements(node.elts, scope))

    def eval_List(self, node: ast.List, scope: Scope) -> Any:
        return self._elements(node.elts, scope)

    def eval_Set(self, node: ast.Set, scope: Scope) -> Any:
        return {key_of(self.force(each)) for each in self._elements(node.elts, scope)}

    def eval_Dict(self, node: ast.Dict, scope: Scope) -> Any:
        made: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                run_python(made.update, self.eval(value, scope))
            else:
                made[key_of(self.eval(key, scope))] = self.eval_lazy(value, scope)
        return made

    def _elements(self, nodes: list[ast.expr], scope: Scope) -> list[Any]:
        made: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                made.extend(self.iterated(self.eval(node.value, scope)) or [])
            else:
                made.append(self.eval_lazy(node, scope))
        return made

    def eval_JoinedStr(self, node: ast.JoinedStr, scope: Scope) -> Any:
        parts = [self.eval(each.value, scope) for each in node.values if isinstance(each, ast.FormattedValue)]
        fixed = [specialised(each) for each in parts]
        return f"{fixed}" if all(isinstance(each, (str, int, float)) for each in fixed) else UNKNOWN

    def eval_UnaryOp(self, node: ast.UnaryOp, scope: Scope) -> Any:
        value = self.eval(node.operand, scope)
        if isinstance(node.op, ast.Not):
            truth = self.truth(value)
            return UNKNOWN if truth is None else not truth
        if isinstance(value, Tensor):
            return value.like(value.shape)
        return run_python(OPERATORS[type(node.op)], value)

    def eval_BinOp(self, node: ast.BinOp, scope: Scope) -> Any:
        counted = self.counted(node.left, node.op, node.right, scope)
        if counted is not None:
            return counted
        return self.operate(node.op, self.eval(node.left, scope), self.eval(node.right, scope))

    def counted(self, left: ast.expr, op: ast.operator, right: ast.expr, scope: Scope) -> Lazy | None:
        """`n + 1` of a name outside of the entry that nothing has used: torch may leave it without a guard, too."""
        if self.trace is None or not self.trace.options.lazy_names or not isinstance(left, ast.Name):
            return None
        value, step = self.eval_Name(left, scope), getattr(right, "value", None)
        is_plain = isinstance(value, Lazy) and not value.is_forced and type(value.value) is int
        if not is_plain or type(step) is not int or not isinstance(value.source.key, tuple):
            return None
        operation = OPERATORS[type(op)]
        return Lazy(
            run_python(operation, value.value, step), value.source, made_of=lambda force: operation(force(value), step)
        )

    def operate(self, op: ast.operator, left: Any, right: Any) -> Any:
        """The result of a binary operator."""
        if isinstance(left, Tensor) or isinstance(right, Tensor):
            return self.on_tensors(op, left, right)
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            return UNKNOWN
        if isinstance(left, (str, bytes)) and isinstance(op, ast.Mod):
            return UNKNOWN if not isinstance(right, Sym) else run_python(OPERATORS[ast.Mod], left, specialised(right))
        if isinstance(left, (list, tuple, str)) != isinstance(right, (list, tuple, str)):
            left, right = specialised(left), specialised(right)
        return run_python(OPERATORS[type(op)], left, right)

    def on_tensors(self, op: ast.AST, left: Any, right: Any) -> Any:
        """An operator of which an operand is a tensor."""
        self.count()
        if isinstance(op, ast.MatMult):
            return apply("matmul", (left, right), {})
        made = binary("add", left, right)
        if isinstance(op, ast.cmpop):
            made.dtype = "bool"
        return made

    def count(self) -> None:
        """Count an operation of the graph."""
        if self.trace is not None:
            self.trace.operations += 1

    def eval_BoolOp(self, node: ast.BoolOp, scope: Scope) -> Any:
        stops = isinstance(node.op, ast.Or)
        doubtful = False
        value: Any = UNKNOWN
        for each in node.values:
            value = self.eval(each, scope)
            truth = self.truth(value)
            if truth is stops:
                return UNKNOWN if doubtful else value
            doubtful = doubtful or truth is None
        return UNKNOWN if doubtful else value

    def eval_Compare(self, node: ast.Compare, scope: Scope) -> Any:
        left = self.eval(node.left, scope)
        result: Any = True
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.eval(right_node, scope)
            result = self.compare(op, left, right)
            if len(node.ops) > 1:
                truth = self.truth(result)
                if truth is not True:
                    return UNKNOWN if truth is None else False
                result = True
            left = right
        return result

    def compare(self, op: ast.cmpop, left: Any, right: Any) -> Any:
        """The result of a comparison."""
        if isinstance(op, (ast.Is, ast.IsNot)):
            if isinstance(left, Unknown) or isinstance(right, Unknown):
                return UNKNOWN
            same = left is right or (_is_plain(left) and type(left) is type(right) and left == right)
            return same is isinstance(op, ast.Is)
        if isinstance(op, (ast.In, ast.NotIn)):
            found = self.contains(right, left)
            return UNKNOWN if found is None else found is isinstance(op, ast.In)
        if isinstance(left, Tensor) or isinstance(right, Tensor):
            return self.on_tensors(op, left, right)
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            return UNKNOWN
        if isinstance(left, (tuple, list)) and isinstance(right, (tuple, list)):
            return self._compare_items(op, left, right)
        if isinstance(op, (ast.Eq, ast.NotEq)):  # of any objects
            return OPERATORS[type(op)](left, right)
        return run_python(OPERATORS[type(op)], left, right)

    def _compare_items(self, op: ast.cmpop, left: Any, right: Any) -> Any:
        one, other = [self.force(each) for each in left], [self.force(each) for each in right]
        if any(isinstance(each, Unknown) for each in (*one, *other)):
            return UNKNOWN
        return run_python(OPERATORS[type(op)], one, other)

    def contains(self, owner: Any, item: Any) -> bool | None:
        """`item in owner`, None where that is not known."""
        if isinstance(owner, Unknown) or isinstance(item, Unknown) or isinstance(owner, (Tensor, Obj)):
            return None
        if isinstance(owner, dict) and self.trace is not None and id(owner) in self.trace.keys:
            source, key = self.trace.keys[id(owner)], key_of(item)
            is_in = key in owner
            text = f"{key!r} {'in' if is_in else 'not in'} {source.text}"
            self.trace.guard(text, lambda world: (key in source.read(world)) is is_in, source)
            return is_in
        if isinstance(owner, (list, tuple)):
            return any(bool(self.force(each) == item) for each in owner)
        if isinstance(owner, (dict, set, frozenset)):
            return key_of(item) in owner
        return bool(run_python(operator.contains, owner, specialised(item)))

    def truth(self, value: Any) -> bool | None:
        """The truth of a value, None where that is not known. A tensor's breaks the graph."""
        value = self.force(value)
        if isinstance(value, Tensor):
            if self.trace is not None:
                self.trace.broke = True
            return None
        if isinstance(value, (Unknown, External)):
            return None
        if isinstance(value, Obj):
            return True
        return bool(value)

    def eval_IfExp(self, node: ast.IfExp, scope: Scope) -> Any:
        truth = self.truth(self.eval(node.test, scope))
        if truth is None:
            one, other = self.eval(node.body, scope), self.eval(node.orelse, scope)
            if isinstance(one, Tensor) and isinstance(other, Tensor):
                return one
            return one if _is_plain(one) and type(one) is type(other) and one == other else UNKNOWN
        return self.eval_lazy(node.body if truth else node.orelse, scope)

    def eval_Subscript(self, node: ast.Subscript, scope: Scope) -> Any:
        return self.index(self.eval(node.value, scope), self.eval(node.slice, scope))

    def eval_Slice(self, node: ast.Slice, scope: Scope) -> Any:
        bounds = [None if each is None else self.eval(each, scope) for each in (node.lower, node.upper, node.step)]
        if self.trace is not None and any(isinstance(each, Tensor) for each in bounds):
            self.trace.broke = True  # a bound is read as a Python number
        return slice(*bounds)

    def index(self, owner: Any, key: Any) -> Any:
        """`owner[key]`."""
        if isinstance(owner, Tensor):
            self.count()
            key = tuple(self.force(each) for each in key) if isinstance(key, tuple) else key
            return owner.like(shapes.indexed(owner, key, lambda each: each is None))
        if isinstance(owner, Unknown) or isinstance(key, Unknown):
            return UNKNOWN
        if isinstance(owner, Obj):
            return self._module_item(owner, key)
        if isinstance(key, slice):
            key = slice(*(specialised(each) for each in (key.start, key.stop, key.step)))
        if isinstance(owner, dict) and self.contains(owner, key) is False:
            if not isinstance(owner, DefaultDict) or owner.factory is None:
                raise Raised
            owner[key_of(key)] = self.call(owner.factory, [], {})
        if isinstance(owner, dict):
            return owner[key_of(key)]
        return run_python(operator.getitem, owner, specialised(key))

    def _module_item(self, owner: Obj, key: Any) -> Any:
        parts = owner.attrs.get("modules")
        if parts is None:
            return UNKNOWN
        parts = self.force(owner.load("modules"))
        if isinstance(parts, Unknown):
            return UNKNOWN
        if isinstance(key, str):
            if key not in owner.attrs:
                raise Raised
            return owner.load(key)
        if isinstance(key, slice):
            bounds = slice(*(specialised(each) for each in (key.start, key.stop, key.step)))
            cut = run_python(operator.getitem, parts, bounds)
            return Obj(owner.cls, {"modules": cut}, is_module=True, loaded={"modules"})
        return run_python(operator.getitem, parts, specialised(key))

    def iterated(self, value: Any) -> list[Any] | None:
        """The items of a value, None where they are not known. The rows of a tensor fix its first size."""
        value = self.force(value)
        if isinstance(value, Tensor):
            if not value.shape or isinstance(value.shape[0], Unknown):
                return None
            count = int(specialised(value.shape[0]))
            self.count()
            return [value.like(value.shape[1:]) for _ in range(count)] if count <= MAX_ITEMS else None
        if isinstance(value, dict):
            if self.trace is not None and id(value) in self.trace.keys:
                source, keys = self.trace.keys[id(value)], list(value)
                self.trace.guard(
                    f"list({source.text}) == {keys!r}", lambda world: list(source.read(world)) == keys, source
                )
            return list(value)
        if isinstance(value, Obj):
            return self._module_items(value)
        if isinstance(value, (list, tuple, set, range, str)):
            items: list[Any] = run_python(list, value)
            return items
        return None

    def _module_items(self, value: Obj) -> list[Any] | None:
        if "names" in value.attrs:
            return list(value.attrs["names"])
        parts = self.force(value.load("modules")) if "modules" in value.attrs else None
        return list(parts) if isinstance(parts, (list, tuple)) else None


def _is_plain(value: Any) -> bool:
    return isinstance(value, (bool, int, float, str, type(None)))
