"""Whether statements do to every row of their tensors what they would do to it alone, as far as can be seen."""

from __future__ import annotations

import ast
from collections.abc import Collection

from breaklint.analysis.batching import leaves_rows, takes_all_rows
from breaklint.analysis.purity import is_pure
from breaklint.analysis.shapes import operation
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.interp.objects import Instance
from breaklint.interp.values import ExternalInstance
from breaklint.project.scope import single_target
from breaklint.project.walking import walk

SIZES = frozenset({"size", "dim"})
MIXING = "what is done with the selected rows is not known to act on each row alone"


class RowWise:
    """Follows tensors of rows through the statements of a block; raises NotFixable where rows may be mixed.

    Layers are taken to act on each row alone, and a `view` to keep the order of the rows: a fix has to name that.
    """

    def __init__(self, request: FixRequest) -> None:
        self.request = request
        self.names: set[str] = set()  # that hold tensors of rows
        self.bound: set[str] = set()  # that the statements bind

    def run(self, statement: ast.stmt, rows: Collection[ast.AST], stored: ast.expr | None) -> bool:
        """Whether what a statement assigns is computed from rows: `rows` are the expressions that read them."""
        target = single_target(statement)
        if not isinstance(statement, ast.Assign) or target is None:
            raise NotFixable(MIXING)
        found = self._of(statement.value, rows)
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        for name in names:
            if name is stored:
                continue
            if not isinstance(name, ast.Name) or (found and isinstance(target, ast.Tuple)):
                raise NotFixable(MIXING)
            self.bound.add(name.id)
            (self.names.add if found else self.names.discard)(name.id)
        return found

    def check_left(self, region: list[ast.stmt]) -> None:
        """Raise NotFixable where a name that the statements bind may be read behind them: it holds other rows there."""
        inside = {part for statement in region for part in walk(statement)}
        for name in self.bound:
            for store in self.request.values.stores(name):
                if store in inside and any(load not in inside for load in self.request.values.uses(store)):
                    raise NotFixable(f"`{name}` is read behind the rows that are selected")

    def _of(self, node: ast.expr, rows: Collection[ast.AST]) -> bool:
        """Whether an expression is a tensor of rows, False for one that has none of them in it."""
        if node in rows:
            return True
        if isinstance(node, ast.Name):
            return node.id in self.names
        if isinstance(node, ast.Call):
            return self._called(node, rows)
        inner = [self._of(each, rows) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
        if not any(inner):
            return False
        if isinstance(node, (ast.BinOp, ast.UnaryOp)) and not isinstance(
            getattr(node, "op", None), (ast.MatMult, ast.Not)
        ):
            return True
        if isinstance(node, ast.Attribute) and node.attr in ("shape", "device", "dtype", "ndim"):
            return False
        if isinstance(node, ast.Subscript) and inner[0] and not any(inner[1:]) and takes_all_rows(node.slice):
            return True
        raise NotFixable(MIXING)

    def _called(self, call: ast.Call, rows: Collection[ast.AST]) -> bool:
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        inner = [self._of(each, rows) for each in given]
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        method = owner is not None and self._of(owner, rows)
        if not any(inner) and not method:
            if not is_pure(self.request, call):
                raise NotFixable("something else happens among what is done with the selected rows")
            return False
        if method and isinstance(call.func, ast.Attribute):
            return self._operated(call, call.func.attr, call.func.value, call.args)
        split = operation(self.request, call)
        if split is not None and inner[0] and not any(inner[2:]):
            return self._operated(call, split[0], split[1][0], split[1][1:])
        value = self.request.value(call.func)
        if isinstance(value, Instance) or (isinstance(value, ExternalInstance) and value.cls.startswith("torch.nn.")):
            return True
        raise NotFixable(MIXING)

    def _operated(self, call: ast.Call, name: str, tensor: ast.expr, rest: list[ast.expr]) -> bool:
        if name in SIZES:
            return False
        if leaves_rows(self.request, name, tensor, rest, call.keywords):
            return True
        raise NotFixable(MIXING)
