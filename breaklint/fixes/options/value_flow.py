"""Where a number or a tensor goes whose value or size only the data tells: whether a graph can follow it there."""

from __future__ import annotations

import ast

from breaklint.analysis.own_containers import adds_to, grows, is_own
from breaklint.analysis.shapes import operation
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.options.slice_bounds import Bound, slices_of
from breaklint.interp.callables import Function
from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.lattice import Unknown
from breaklint.interp.predicates import is_tensor
from breaklint.interp.values import ExternalInstance, ExternalName, Number, Shape, Size, Tensor
from breaklint.project.syntax import assigned, negated
from breaklint.project.walking import walk
from breaklint.rules.compiler_options import UNCAPTURED
from breaklint.torchops.signatures import newest_signature

# No schema says that Python reads the data, or the memory, of a tensor.
LEAVING = frozenset(
    "item tolist numpy data_ptr storage nonzero_static is_contiguous stride apply_ map_ backward".split()
)
# Builtins.
NUMERIC = frozenset(f"builtins.{name}" for name in "int float abs max min sum len round".split())
ROWS = frozenset({"builtins.enumerate", "builtins.zip", "builtins.tuple", "builtins.list", "builtins.reversed"})
# No schema says which names of methods no other library's objects have.
OF_TENSORS = frozenset(
    "expand narrow new_empty new_full new_ones new_zeros repeat repeat_interleave reshape view".split()
)
# Whose integers the graph follows; those of other methods it does not, which no schema says.
SIZES = frozenset({"size", "numel", "dim", "__len__"})
ASKING = frozenset({"builtins.isinstance", "builtins.callable", "builtins.type"})
PYTHON = ("builtins.", "math.", "numpy.", "torch.is_")  # what takes numbers, and what answers with a Python bool
NEEDED = "it is used where Python needs the value"
STORED = "it is stored where other code may need the value"
LOOP = "how often a loop runs depends on data"
DEPTH = 3  # of functions that call each other
READING = ("builtins.int", "builtins.float")


class ValueFlow:
    """Follows a value; raises NotFixable where Python asks for what the graph does not know.

    `bounds` are the slice bounds among its uses: they compile once it is known that they lie in the tensor.
    """

    def __init__(
        self, request: FixRequest, seen: set[ast.AST] | None = None, depth: int = 0, called: bool = False
    ) -> None:
        """`called`: from a call whose result is followed as well."""
        self.request, self.scope, self.depth, self.called = request, request.scope, depth, called
        self.bounds: list[Bound] = []
        self._seen: set[ast.AST] = set() if seen is None else seen

    def start(self, node: ast.AST) -> None:
        """Follow what a flagged expression gives, and the bounds that it takes itself."""
        sized = self.request.rule.setting.endswith("capture_dynamic_output_shape_ops")
        if not isinstance(node, ast.expr) or self._called(node) in ("builtins.range", "builtins.slice"):
            raise NotFixable(LOOP)
        if isinstance(node, ast.Subscript):
            for part, _ in slices_of(node):
                for bound in (part.lower, part.upper, part.step):
                    if bound is not None and isinstance(self.request.value(bound), (Tensor, Number)):
                        self._bound(bound)
        self.follow(node, not sized)

    def follow(self, node: ast.expr, number: bool) -> None:
        """Follow the value of an expression to all that is computed from it.

        `number`: Python would hold it as a number, or a list of them, and not as a tensor.
        """
        if node in self._seen:
            return
        self._seen.add(node)
        number = number and not is_tensor(self.request.value(node))
        around = self.scope.parent(node)
        if isinstance(around, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.IfExp, ast.ListComp, ast.GeneratorExp)):
            self._within(node, around, number)
        elif isinstance(around, (ast.Tuple, ast.List)) and isinstance(around.ctx, ast.Load):
            self._displayed(node, around, number)
        elif isinstance(around, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            self._stored(node, around, number)
        elif isinstance(around, ast.Subscript):
            self._subscript(node, around, number)
        elif isinstance(around, ast.Slice):
            self._bound(node)
        elif isinstance(around, ast.Attribute):
            self._attribute(around, number)
        elif isinstance(around, (ast.Call, ast.keyword, ast.Starred)):
            self._argument(node, around, number)
        elif isinstance(around, (ast.For, ast.comprehension)) and around.iter is node:
            self._iterated(node, around.target, number)
        elif isinstance(around, ast.Dict) and node in around.values:
            self.follow(around, number)
        elif isinstance(around, ast.Return):
            self._returned(number)
        elif not isinstance(around, ast.Expr):
            raise NotFixable(NEEDED)

    def _returned(self, number: bool) -> None:
        """Follow what the function gives into the functions that call it."""
        if self.called:
            return
        if self.request.function is None or self.depth == DEPTH:
            raise NotFixable("where it is returned to is not known")
        for node, caller in self.request.event.frame.interp.calls_of(self.request.function):
            if node is None or caller is None:
                raise NotFixable("where it is returned to is not known")
            outer = ValueFlow(self.request.within(caller), self._seen, self.depth + 1)
            outer.follow(node, number)
            if outer.bounds:
                raise NotFixable("it bounds a slice in a function that calls this one")

    def _within(self, node: ast.expr, around: ast.expr, number: bool) -> None:
        """Inside an expression whose value may be this one."""
        others = (around.left, around.right) if isinstance(around, ast.BinOp) else ()
        if any(isinstance(self.request.value(each), Sequence | Tuple) for each in others if each is not node):
            raise NotFixable("how long a list is depends on data")
        ops = around.ops if isinstance(around, ast.Compare) else []
        asked = negated(around) is not None or (isinstance(around, ast.IfExp) and around.test is node)
        if asked or any(isinstance(op, (ast.In, ast.NotIn)) for op in ops):
            raise NotFixable(NEEDED)
        if not any(isinstance(op, (ast.Is, ast.IsNot)) for op in ops):
            self.follow(around, number)

    def _called(self, node: ast.AST | None) -> str:
        if not isinstance(node, ast.Call):
            return ""
        value = self.request.value(node.func)  # also of what the function imports itself
        return value.name if isinstance(value, ExternalName) else self.request.qualified(node.func)

    def _displayed(self, node: ast.expr, around: ast.Tuple | ast.List, number: bool) -> None:
        outer = self.scope.parent(around)
        if isinstance(outer, ast.Subscript) and outer.slice is around:
            self._indexes(node, outer, around.elts.index(node))
        else:
            self.follow(around, number)

    def _stored(self, node: ast.expr, around: ast.Assign | ast.AnnAssign | ast.AugAssign, number: bool) -> None:
        if isinstance(around, ast.AugAssign) and around.target is node:
            return  # `x[mask] += 1`: read, computed with, and stored
        for target in assigned(around):
            if isinstance(target, ast.Name):
                self.follow_name(target.id, number)
            elif isinstance(target, ast.Tuple):
                self._unpacked(node, target, number)
            elif number and not isinstance(target, ast.Subscript):
                raise NotFixable(STORED)
            elif isinstance(target, ast.Subscript) and number and not is_tensor(self.request.value(target.value)):
                self._kept(target.value)

    def _kept(self, container: ast.expr) -> None:
        """In a list or dict: followed to all that reads one that the function makes itself."""
        if not isinstance(container, ast.Name) or not is_own(self.request, container.id):
            raise NotFixable(STORED)
        self.follow_name(container.id, True)

    def _unpacked(self, node: ast.expr, target: ast.Tuple, number: bool) -> None:
        split = operation(self.request, node) if isinstance(node, ast.Call) else None
        several = isinstance(node, ast.Tuple) or isinstance(self.request.value(node), Sequence | Shape | Tuple)
        if not several and (split is None or not _gives_several(self.request, split[0])):
            raise NotFixable("it is unpacked")
        for name in target.elts:
            if not isinstance(name, ast.Name):
                raise NotFixable("it is unpacked")
            self.follow_name(name.id, number)

    def follow_name(self, name: str, number: bool) -> None:
        """Follow every use of a local name."""
        for load in self.request.own_loads(name):
            self.follow(load, number)

    def _subscript(self, node: ast.expr, around: ast.Subscript, number: bool) -> None:
        if around.slice is node:
            self._indexes(node, around, 0)
        elif isinstance(around.ctx, ast.Load):
            self.follow(around, number)

    def _indexes(self, node: ast.expr, around: ast.Subscript, dim: int) -> None:
        """As an index of a tensor: a tensor anywhere, a number only of the first dimension."""
        if not is_tensor(self.request.value(around.value)):
            raise NotFixable("it is the index of something that is no tensor")
        if dim > 0 and not is_tensor(self.request.value(node)):
            raise NotFixable("a graph has no index that only the data tells behind the first dimension")
        if isinstance(around.ctx, ast.Load):
            self.follow(around, False)

    def _bound(self, node: ast.expr) -> None:
        part = self.scope.parent(node)
        around = self.scope.parent(part) if part is not None else None
        around = self.scope.parent(around) if isinstance(around, ast.Tuple) else around
        if not isinstance(part, ast.Slice) or not isinstance(around, ast.Subscript):
            raise NotFixable("it is no plain slice")
        found = next((dim for slice_, dim in slices_of(around) if slice_ is part), None)
        other = part.lower if part.upper is node else part.upper
        of_data = other is not None and isinstance(self.request.value(other), (Tensor, Number))
        if found is None or part.step is not None or of_data:
            raise NotFixable("its place among the dimensions, or its other bound, is not known")
        if not is_tensor(self.request.value(around.value)):
            raise NotFixable("it cuts something that is no tensor")
        self.bounds.append(Bound(node, around.value, found))
        if isinstance(around.ctx, ast.Load):
            self.follow(around, False)

    def _attribute(self, around: ast.Attribute, number: bool) -> None:
        call = self.scope.parent(around)
        if grows(self.request, around):
            return
        if isinstance(call, ast.Call) and call.func is around:
            if number or around.attr in LEAVING:
                raise NotFixable("its value is read again")
            self.follow(call, around.attr in SIZES)
        elif around.attr not in ("shape", "T", "mT", "data", "device", "dtype"):
            raise NotFixable(f"its `{around.attr}` is read")
        elif around.attr not in ("device", "dtype"):
            self.follow(around, around.attr == "shape")

    def _argument(self, node: ast.expr, around: ast.AST, number: bool) -> None:
        call = self.scope.parent(around) if isinstance(around, (ast.keyword, ast.Starred)) else around
        if not isinstance(call, ast.Call):
            raise NotFixable("it is unpacked")
        name = self._called(call)
        if name in ASKING:
            return
        if number and (container := adds_to(self.request, call)) is not None:
            self._kept(container)
            return
        if name in READING and not number:
            raise NotFixable("its value is read again")
        if _is_dimension(call, name, node, around):
            raise NotFixable("a graph has no dimension that only the data tells")
        if name in NUMERIC | ROWS:
            self.follow(call, number or name == "builtins.len")
        elif name.startswith(PYTHON) or (number and name in UNCAPTURED):
            raise NotFixable(f"it is passed to `{self.request.text(call.func)}`, which needs the value")
        elif number and not (name.startswith("torch.") or self._computes(call)):
            self._enter(call, node, around)
        elif name.startswith("torch.") or self._computes(call):
            self.follow(call, False)  # what other functions make of a tensor is for them to say

    def _enter(self, call: ast.Call, node: ast.expr, around: ast.AST) -> None:
        """Follow a number into a function of the project, and what that gives."""
        function = self.request.value(call.func)
        info = function.info if isinstance(function, Function) else None
        name = _parameter(function, call, node, around) if isinstance(function, Function) else None
        plain = info is not None and not info.is_generator and not info.decorators
        if info is None or name is None or not plain or self.depth == DEPTH:
            raise NotFixable(f"it is passed to `{self.request.text(call.func)}`, which may need the value")
        inner = ValueFlow(self.request.within(info), self._seen, self.depth + 1, called=True)
        inner.follow_name(name, True)
        if inner.bounds:
            raise NotFixable(f"it bounds a slice in `{self.request.text(call.func)}`")
        self.follow(call, True)

    def _computes(self, call: ast.Call) -> bool:
        """Whether a call is that of a module of torch, or of a method of a tensor."""
        value = self.request.value(call.func)
        owner = self.request.value(call.func.value) if isinstance(call.func, ast.Attribute) else None
        named = isinstance(owner, Unknown) and isinstance(call.func, ast.Attribute) and call.func.attr in OF_TENSORS
        method = named or (owner is not None and is_tensor(owner))
        return method or (isinstance(value, ExternalInstance) and value.cls.startswith("torch.nn."))

    def _iterated(self, node: ast.expr, target: ast.expr, number: bool) -> None:
        """Over a list of numbers the loop runs as often as the tensor is long; over what is found it cannot."""
        value = self.request.value(node)
        if isinstance(value, (Tensor, Number, Size, Shape)):
            raise NotFixable(LOOP)
        for part in walk(target):
            if isinstance(part, ast.Name):
                self.follow_name(part.id, number)


WITH_OPTIONS = frozenset({"unique", "unique_consecutive"})  # give several with options that no measured call has


def _gives_several(request: FixRequest, name: str) -> bool:
    """Whether an operator gives a tuple or list, at least with some arguments."""
    fact = request.facts.operator(name)
    several = fact is not None and any(result.kind in ("tuple", "list") for result in fact.results())
    return several or name in WITH_OPTIONS


def _is_dimension(call: ast.Call, name: str, node: ast.expr, around: ast.AST) -> bool:
    """Whether an argument says which dimension an operator works on."""
    if isinstance(around, ast.keyword):
        return (around.arg or "").startswith("dim")
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    signature = newest_signature(name if name.startswith("torch.") else f"torch.Tensor.{method}")
    given = around if isinstance(around, ast.Starred) else node
    parameter = signature.parameter(call.args.index(given)) if signature is not None and given in call.args else None
    return parameter is not None and parameter.name.startswith("dim")


def _parameter(function: Function, call: ast.Call, node: ast.expr, around: ast.AST) -> str | None:
    """The parameter of a function that takes an argument, None where a starred one hides it."""
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    names = [each.arg for each in (*function.info.node.args.posonlyargs, *function.info.node.args.args)]
    if isinstance(around, ast.keyword):
        known = {*names, *(each.arg for each in function.info.node.args.kwonlyargs)}
        return around.arg if around.arg in known else None
    place = call.args.index(node) + (function.owner is not None)
    return names[place] if place < len(names) else None
