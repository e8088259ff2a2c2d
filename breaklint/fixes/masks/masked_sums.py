"""Sums and means of selected elements, as sums over all elements in which the others count nothing."""

from __future__ import annotations

import ast

from breaklint.analysis.alias import is_fresh_result
from breaklint.analysis.shapes import operation
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.masks.masked_names import MORE, held_name, stays_the_same
from breaklint.fixes.masks.masked_to_dense import Dense, MaskedToDense, fits, is_elementwise
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.fixes.rewrite import Change, Deleted, Replaced
from breaklint.project.walking import walk

# No schema: losses of two tensors that are elementwise, and are summed or averaged at the end.
LOSSES = frozenset(
    "mse_loss l1_loss smooth_l1_loss huber_loss soft_margin_loss binary_cross_entropy_with_logits".split()
)
UNSAFE = (
    "The sum is rounded in another order, and all elements are computed: an infinity or NaN outside the mask can "
    "reach the gradient."
)


@fix("masked-sums", unsafe=UNSAFE)
def masked_sums(m: Match) -> Draft:
    """`x[m].mean()` → `torch.where(m, x, 0).sum() / m.sum()`."""
    request = m.request
    mask = _mask(request, request.node)
    sums = _Sums(request, MaskedToDense(request, mask))
    changes = sums.changes()
    _, imports = request.name_of("torch")
    display_only = not fits(request, mask, sums.sources)
    return Draft("Sum with the mask instead of under it", (*imports, *changes), display_only)


def _mask(request: FixRequest, node: ast.AST) -> ast.expr:
    """The mask of `x[mask]` or `x.masked_select(mask)`."""
    if isinstance(node, ast.Call):
        split = operation(request, node)
        if split is not None and split[0] == "masked_select" and len(split[1]) == 2 and not node.keywords:
            return split[1][1]
        raise NotFixable
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        raise NotFixable("its elements are needed one by one")
    if isinstance(node.slice, ast.Tuple):
        raise NotFixable("the mask selects along one of several dimensions, and how many it selects is a size")
    return node.slice


class _Sums:
    """All that is to be rewritten so that names and sums see all elements."""

    def __init__(self, request: FixRequest, unmasking: MaskedToDense) -> None:
        self.request, self.unmasking, self.mask = request, unmasking, unmasking.mask
        self.definitions: list[ast.Assign] = []  # statements that bind names to selected elements
        self.sums: dict[ast.Call, ast.expr] = {}  # sums, means and losses, with their operands
        self.sources: list[ast.expr] = []  # tensors that the mask selects from

    def changes(self) -> list[Change]:
        """The changes of names and sums; raises NotFixable."""
        assert isinstance(self.request.node, ast.expr)
        self._follow(self.request.node)
        edits: list[Change] = []
        body = self.request.scope.root.body if self.definitions else ()  # type: ignore[attr-defined]
        for statement in (item for item in body if item in self.definitions):
            edits += self._definition(statement)
        for call, top in self.sums.items():
            edits += self._summed(call, top)
        return edits

    def _follow(self, node: ast.expr) -> None:
        """Follow selected elements to every sum, through the names that are bound to them."""
        top = self._top(node)
        enclosing = self.request.scope.parent(top)
        if not isinstance(enclosing, ast.Assign):
            call = self._call(top)
            self.sums.setdefault(call, top)
            self._gather(call)
        elif enclosing not in self.definitions:
            self._hold(enclosing)

    def _hold(self, statement: ast.Assign) -> None:
        held_name(self.request, statement)
        stays_the_same(self.request, self.mask, statement)
        self.definitions.append(statement)
        self._gather(statement.value)
        late = self.request.values.uses(statement.targets[0])  # type: ignore[arg-type]
        if not late:
            raise NotFixable("the selected elements are not used")
        for load in late:
            self._follow(load)

    def _gather(self, node: ast.expr) -> None:
        """The other names in an expression that are bound to elements selected by the mask."""
        for part in walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                result = self.request.definition(part.id, part)
                selects = result.value is not None and self.unmasking.base(result.value) is not None
                if isinstance(result.statement, ast.Assign) and selects and result.statement not in self.definitions:
                    self._hold(result.statement)

    def _top(self, node: ast.expr) -> ast.expr:
        """The largest expression around selected elements that still has their shape."""
        while True:
            enclosing = self.request.scope.parent(node)
            if isinstance(enclosing, ast.Attribute):
                enclosing = self.request.scope.parent(enclosing)
            if not isinstance(enclosing, ast.expr) or not is_elementwise(self.request, enclosing):
                return node
            node = enclosing

    def _of(self, node: ast.expr) -> Dense:
        value = self.unmasking.of(node)
        self.sources += value.tensors
        return value

    def _definition(self, statement: ast.Assign) -> tuple[Change, ...]:
        """The edits that bind a name to all elements."""
        name = held_name(self.request, statement)
        value, result = self._of(statement.value), self.request.definition(name, statement).value
        self.unmasking.names.add(name)
        if self.request.one_line(value.text) == name and result is not None and is_fresh_result(self.request, result):
            return (Deleted(statement),)
        # As before, a later change in place of the indexed tensor must not be visible.
        base = self.unmasking.base(statement.value)
        shared = base is not None and not is_fresh_result(self.request, base)
        text = f"{self.request.code(value.text)}.clone()" if shared else value.text
        same = self.request.one_line(text) == self.request.one_line(self.request.code(statement.value))
        return () if same else (Replaced(statement.value, text),)

    def _call(self, top: ast.expr) -> ast.Call:
        call = self.request.scope.parent(top)
        call = self.request.scope.parent(call) if isinstance(call, ast.Attribute) else call
        if not isinstance(call, ast.Call):
            raise NotFixable(MORE)
        return call

    def _summed(self, call: ast.Call, top: ast.expr) -> tuple[Change, ...]:
        """The replacement of a sum, mean or loss."""
        split = operation(self.request, call)
        if split is None:
            raise NotFixable(MORE)
        if split[0] in ("sum", "mean") and split[1] == [top] and not call.keywords:
            text, is_mean = self._of(top).text, split[0] == "mean"
        elif split[0] in LOSSES and len(split[1]) == 2:
            text, is_mean = self._loss(call, split[1])
        else:
            raise NotFixable(MORE)
        torch, _ = self.request.name_of("torch")
        text = f"{torch}.where({self.request.code(self.mask)}, {text}, 0).sum()"
        if is_mean:
            text = f"{text} / {self.request.operand(self.mask)}.sum()"
        return (self.request.exchange(call, text),)

    def _loss(self, call: ast.Call, arguments: list[ast.expr]) -> tuple[str, bool]:
        """The elements of a loss, and whether it is their mean."""
        parts = [self._of(argument) for argument in arguments]
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        reduction = keywords.pop("reduction", ast.Constant("mean"))
        if not all(part.selected for part in parts) or keywords.keys() - {"beta", "delta"}:
            raise NotFixable(MORE)
        if not isinstance(reduction, ast.Constant) or reduction.value not in ("mean", "sum"):
            raise NotFixable(MORE)
        options = [f"{name}={self.request.code(value)}" for name, value in keywords.items()]
        inside = ", ".join([*(part.text for part in parts), *options, 'reduction="none"'])
        return f"{self.request.code(call.func)}({inside})", reduction.value == "mean"
