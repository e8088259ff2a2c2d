"""Whether every use of a Python number read from a tensor also takes a 0-dim tensor."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from breaklint.analysis.shapes import operation
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.interp.containers import Sequence
from breaklint.interp.values import Array, Const, Number, Size, Static, Tensor, constant_kind
from breaklint.project.scope import Store, single_target
from breaklint.project.syntax import assigned

ARITHMETIC = ast.Add | ast.Sub | ast.Mult | ast.Div | ast.Pow | ast.FloorDiv | ast.Mod
COMPARISON = ast.Eq | ast.NotEq | ast.Lt | ast.LtE | ast.Gt | ast.GtE
# Take a 0-dim tensor for a number and compute the same; composite aliases among them carry no tag.
SCALAR_ARGUMENTS = frozenset(
    "add sub mul div true_divide multiply divide subtract "
    "pow maximum minimum eq ne lt gt le ge "
    "masked_fill where add_ sub_ mul_ div_ multiply_ divide_ subtract_ fill_ masked_fill_".split()
)
BOUNDS = ("builtins.max", "builtins.min")  # of a tensor and a number, these are traced
# Functions of Python's math that torch has under the same name.
MATH = frozenset(
    f"math.{name}" for name in "exp sqrt log log2 log10 log1p expm1 sin cos tan tanh sinh cosh atan erf".split()
)
WORDS: dict[type[ast.AST], str] = {
    ast.Return: "it is returned, and the caller may need a Python number",
    ast.Slice: "it bounds a slice",
    ast.FormattedValue: "it is turned into text",
    ast.Dict: "it is stored in a dict",
    ast.List: "it is stored in a list",
    ast.Tuple: "it is stored in a tuple",
    ast.BoolOp: "its truth value is tested",
    ast.While: "it decides how often a loop runs",
    ast.Expr: "it is not used at all",
    ast.If: "it decides a branch",
    ast.IfExp: "it decides a branch, or is its result",
    ast.Assert: "it is asserted",
    ast.Attribute: "a method of Python's numbers is called",
    ast.NamedExpr: "it is assigned inside an expression",
    ast.ListComp: "it is stored in a list",
    ast.GeneratorExp: "it is stored in a list",
    ast.Yield: "it is yielded",
    ast.Lambda: "a lambda returns it",
}
MaySelect = Callable[[FixRequest, ast.expr, frozenset[ast.expr]], None]
NO_TESTS: Final = frozenset[ast.expr]()


class ScalarUses:
    """Follows a number from the place where it is read to all its uses.

    `follow` raises NotFixable unless each use takes a 0-dim tensor. `decides` states whether one is a branch; then
    `may_select` raises NotFixable if torch.where cannot replace it. `may_choose` states whether one is a store by an
    index that may be a list of indices, `is_base` whether a tensor is its exponent. `tests` are those of the branches
    whose selection is examined.
    """

    def __init__(self, request: FixRequest, may_select: MaySelect, tests: frozenset[ast.expr] = NO_TESTS) -> None:
        self.request, self.scope, self._may_select, self._tests = request, request.scope, may_select, tests
        self.decides = self.may_choose = self.is_base = False
        self._seen: set[str] = set()
        self.followed: set[ast.expr] = set()

    def follow(self, node: ast.expr, truth: bool) -> None:
        """Follow the value of `node`; `truth` when it is the outcome of a comparison."""
        self.followed.add(node)
        enclosing = self.scope.parent(node)
        if isinstance(enclosing, ast.BinOp) and isinstance(enclosing.op, ARITHMETIC):
            return self._arithmetic(
                node, enclosing, enclosing.right if enclosing.left is node else enclosing.left, truth
            )
        if isinstance(enclosing, ast.UnaryOp) and isinstance(enclosing.op, (ast.USub, ast.UAdd)) and not truth:
            return self.follow(enclosing, truth)
        if isinstance(enclosing, ast.Compare) and not truth:
            return self._compared(node, enclosing)
        added = (
            isinstance(enclosing, ast.AugAssign) and isinstance(enclosing.op, ARITHMETIC) and enclosing.value is node
        )
        if isinstance(enclosing, ast.AugAssign) and added and not truth:
            return self._augmented(enclosing)
        if isinstance(enclosing, (ast.Assign, ast.AnnAssign)) and enclosing.value is node:
            return self._assigned(enclosing, truth)
        if isinstance(enclosing, ast.Tuple):
            return self._unpacked(node, enclosing, truth)
        if isinstance(enclosing, ast.keyword) and enclosing.arg in ("min", "max") and not truth:
            return self._bound(enclosing)
        if isinstance(enclosing, (ast.If, ast.IfExp)) and enclosing.test is node and truth:
            self.decides = True
            self._branch(node)
            return None
        if isinstance(enclosing, ast.Call) and node in enclosing.args and not truth:
            return self._argument(node, enclosing)
        raise NotFixable(self._reason(enclosing))

    def _arithmetic(self, node: ast.expr, enclosing: ast.BinOp, other: ast.expr, truth: bool) -> None:
        value = self.request.value(other)
        if isinstance(value, Tensor):
            if truth and not isinstance(enclosing.op, ast.Mult):
                raise NotFixable("it is a truth value in arithmetic")
            self.is_base |= isinstance(enclosing.op, ast.Pow) and enclosing.left is node
            return None
        if isinstance(enclosing.op, ast.Sub) and "bool" in (getattr(value, "kind", ""), constant_kind(value)):
            raise NotFixable("tensors cannot be subtracted from truth values, nor these from them")
        if truth or not isinstance(value, (Const, Static, Size, Number)) or value == Const(None):
            raise NotFixable(
                f"it is combined with `{self.request.text(other)}`, and breaklint cannot infer a number or tensor"
            )
        return self.follow(enclosing, False)

    def _compared(self, node: ast.expr, enclosing: ast.Compare) -> None:
        others = [side for side in (enclosing.left, *enclosing.comparators) if side is not node]
        if len(enclosing.ops) != 1:
            raise NotFixable(f"`{self.request.text(enclosing)}` is a chained comparison, which Python decides in parts")
        if not isinstance(enclosing.ops[0], COMPARISON):
            raise NotFixable(
                f"`{self.request.text(enclosing)}` is about which object it is, or looks for it in another"
            )
        value = self.request.value(others[0])
        if isinstance(value, Tensor):
            return None
        if not isinstance(value, (Const, Static, Size, Number)) or value == Const(None):
            raise NotFixable(
                f"it is compared with `{self.request.text(others[0])}`, and breaklint cannot infer a number"
            )
        return self.follow(enclosing, True)

    def _augmented(self, enclosing: ast.AugAssign) -> None:
        if isinstance(enclosing.target, ast.Subscript) and self.request.tensor(enclosing.target.value) is not None:
            return None
        if not isinstance(enclosing.target, ast.Name):
            raise NotFixable("it is added to something that outlives the call")
        if isinstance(self.request.value(enclosing.target), Tensor) or self._is_tensor(enclosing.target.id, enclosing):
            return None
        return self.follow_name(enclosing.target.id, False)

    def _is_tensor(self, name: str, at: ast.stmt) -> bool:
        value = self.request.definition(name, at).value
        return value is not None and isinstance(self.request.value(value), Tensor)

    def _assigned(self, enclosing: ast.Assign | ast.AnnAssign, truth: bool) -> None:
        targets = assigned(enclosing)
        if not truth and all(isinstance(t, ast.Subscript) and self.request.tensor(t.value) for t in targets):
            if not all(isinstance(t, ast.Subscript) and self._is_plain_index(t.slice) for t in targets):
                raise NotFixable("it is stored in places that a tensor or list chooses, which take no other dtype")
            return  # an element of a tensor takes a 0-dim tensor as it takes a number
        if len(targets) != 1 or not isinstance(targets[0], ast.Name):
            raise NotFixable("it is stored where other code may need a Python number")
        self.follow_name(targets[0].id, truth)

    def _is_plain_index(self, node: ast.expr) -> bool:
        """Whether an index is not known to be a list or tensor of places."""
        if isinstance(node, ast.Tuple):
            return all(self._is_plain_index(part) for part in node.elts)
        value = self.request.value(node)
        plain = isinstance(node, ast.Slice) or isinstance(value, (Const, Static, Size, Number))
        plain |= isinstance(value, Tensor) and (value.dtype == "bool" or value.ndim == 0)
        self.may_choose |= not plain
        return plain or not isinstance(value, (Sequence, Array, Tensor))

    def follow_name(self, name: str, truth: bool) -> None:
        """Follow every use of a local name that is bound to the number."""
        if name in self._seen:
            return
        self._seen.add(name)
        self.request.limit_uses(name)
        for store in self.scope.stores(name):
            if not self._plain_store(store):
                raise NotFixable(f"`{name}` is also bound to other values")
        for load in self.request.own_loads(name):
            self.follow(load, truth)

    def _plain_store(self, store: Store) -> bool:
        """An assignment of a number (this one, or a constant to begin with), or one added to it."""
        if not isinstance(store, ast.Name):
            return False
        enclosing = self.scope.parent(store)
        if isinstance(enclosing, ast.Tuple):
            return self._plain_unpacking(store, enclosing)
        if isinstance(enclosing, ast.AugAssign):
            return isinstance(enclosing.op, ARITHMETIC)
        if isinstance(enclosing, (ast.Assign, ast.AnnAssign)) and enclosing.value is not None:
            if enclosing.value in self.followed:
                return True
            value = self.request.value(enclosing.value)
            return isinstance(value, (Const, Number, Tensor)) and value != Const(None)
        return False

    def _plain_unpacking(self, store: ast.Name, enclosing: ast.Tuple) -> bool:
        statement = self.scope.parent(enclosing)
        value = statement.value if isinstance(statement, ast.Assign) else None
        parts = value.elts if isinstance(value, ast.Tuple) else []
        whole = value in self.followed
        return whole or (len(parts) == len(enclosing.elts) and parts[enclosing.elts.index(store)] in self.followed)

    def _unpacked(self, node: ast.expr, enclosing: ast.Tuple, truth: bool) -> None:
        """`low, high = a.item(), b.item()`: each name gets its own number."""
        statement = self.scope.parent(enclosing)
        target = single_target(statement)
        names = target.elts if isinstance(target, ast.Tuple) else []
        name = names[enclosing.elts.index(node)] if len(names) == len(enclosing.elts) else None
        if not isinstance(name, ast.Name) or any(isinstance(part, ast.Starred) for part in (*names, *enclosing.elts)):
            raise NotFixable(WORDS[ast.Tuple])
        return self.follow_name(name.id, truth)

    def _bound(self, enclosing: ast.keyword) -> None:
        """The only bound of a clamp; two must be of one kind."""
        call = self.scope.parent(enclosing)
        split = operation(self.request, call) if isinstance(call, ast.Call) and len(call.keywords) == 1 else None
        if split is None or split[0] not in ("clamp", "clip") or len(split[1]) != 1:
            raise NotFixable(f"it is passed as `{enclosing.arg}`")

    def _branch(self, test: ast.expr) -> None:
        """A comparison that decides a branch: as a tensor it can only be selected with."""
        try:
            if test not in self._tests:
                self._may_select(self.request, test, self._tests)
        except NotFixable as reason:
            raise NotFixable(f"it decides a branch that cannot become torch.where: {reason}") from None

    def _argument(self, node: ast.expr, call: ast.Call) -> None:
        if not call.keywords and len(call.args) == 1 and self.request.qualified(call.func) in MATH:
            return self.follow(call, False)  # math.sqrt of a tensor becomes torch.sqrt in the next round
        if not call.keywords and len(call.args) == 2 and self.request.qualified(call.func) in BOUNDS:
            return self._bounded(node, call)
        split = operation(self.request, call)
        if split is None or split[0] not in SCALAR_ARGUMENTS or call.keywords:
            raise NotFixable(f"it is passed to `{self.request.text(call.func)}`")
        fills = split[0] in ("masked_fill", "masked_fill_")
        if (fills or split[0] == "where") and (len(split[1]) != 3 or split[1][0] is node):
            raise NotFixable(f"it is passed to `{self.request.text(call.func)}`")
        others = [argument for argument in split[1] if argument is not node][: 2 if fills else None]
        if not any(isinstance(self.request.value(other), Tensor) for other in others):
            raise NotFixable(f"it is passed to `{self.request.text(call.func)}` without a tensor")
        return None

    def _bounded(self, node: ast.expr, call: ast.Call) -> None:
        """`max(n, 1)`: a number or 0-dim tensor, used as one."""
        other = self.request.value(call.args[call.args[0] is node])
        if constant_kind(other) not in ("int", "float"):
            raise NotFixable(
                f"it is passed to `{self.request.text(call.func)}` together with a value that may not be a number"
            )
        return self.follow(call, False)

    def _reason(self, enclosing: ast.AST | None) -> str:
        if enclosing is None:
            return WORDS[ast.Lambda]
        if isinstance(enclosing, ast.Call):
            return f"it is passed to `{self.request.text(enclosing.func)}`"
        if isinstance(enclosing, ast.keyword):
            return f"it is passed as `{enclosing.arg}`"
        if isinstance(enclosing, ast.Slice):
            indexed = self.scope.parent(enclosing)
            indexed = self.scope.parent(indexed) if isinstance(indexed, ast.Tuple) else indexed
            if isinstance(indexed, ast.Subscript):
                return f"it bounds a slice of `{self.request.text(indexed.value)}`"
        if isinstance(enclosing, ast.Subscript):
            return f"it is used as an index of `{self.request.text(enclosing.value)}`"
        return WORDS.get(type(enclosing), "its use needs a Python number")
