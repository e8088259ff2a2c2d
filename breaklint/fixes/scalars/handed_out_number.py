"""Numbers read from tensors that the function only returns: compiled code returns the 0-dim tensor instead."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.branches.selections import may_select
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.fixes.scalars.keep_tensor import NUMBERS, as_tensor, number_source
from breaklint.fixes.scalars.scalar_uses import ScalarUses
from breaklint.interp.values import Array, Number, Tensor
from breaklint.project.scope import single_target
from breaklint.project.walking import walk, walk_rows

UNSAFE = "The compiled model hands out a 0-dim tensor, and eager mode a number."
DISPLAYS = (ast.Dict, ast.List, ast.Tuple, ast.Set)


@fix("handed-out-number", unsafe=UNSAFE)
def handed_out_number(m: Match) -> Draft:
    """`return loss.item()` → `return loss.detach() if torch.compiler.is_compiling() else loss.item()`."""
    request, call = m.request, m.request.call
    m.require(request.entry is not None, "")  # callers of the function may be compiled as well
    source, number = number_source(request, call)
    m.require(number in ("", *NUMBERS.values()), "")
    uses = _HandedOut(request, may_select)
    uses.follow(call, False)
    m.require(uses.hands_out and not uses.decides, "")
    whole = _whole(request, call)
    calls = (part for part in walk(whole) if isinstance(part, ast.Call))
    codes: dict[ast.expr, str] = {part: code for part in calls if (code := _tensor_of(request, part))}
    if call not in codes:
        raise request.not_a_tensor(source)
    parts = [number_source(request, part) for part in codes if isinstance(part, ast.Call)]
    tensors = {item: result for item, _ in parts if (result := request.tensor(item)) is not None}
    computed = whole is not call
    truths = computed and any(tensor.dtype in ("bool", "complex") for tensor in tensors.values())
    m.require(not truths, "a tensor may not support the operations on a bool or a complex number")
    torch, imports = request.name_of("torch")
    code = f"{request.code_with(whole, codes)} if {torch}.compiler.is_compiling() else {request.code(whole)}"
    return m.exchanged(whole, code, "Return the 0-dim tensor from compiled code", *imports)


def _whole(request: FixRequest, node: ast.expr) -> ast.expr:
    """The arithmetic around a number, as long as its result is a number."""
    enclosing = request.scope.parent(node)
    while isinstance(enclosing, (ast.BinOp, ast.UnaryOp)) and isinstance(request.value(enclosing), Number):
        node, enclosing = enclosing, request.scope.parent(enclosing)
    return node


def _tensor_of(request: FixRequest, call: ast.Call) -> str:
    """The code of the 0-dim tensor that a call reads a number from, "" for any other call."""
    try:
        source, number = number_source(request, call)
    except NotFixable:
        return ""
    tensor = request.tensor(source)
    return as_tensor(request, source, number, tensor) if tensor is not None else ""


class _HandedOut(ScalarUses):
    """Follows a number, and accepts uses that return it or store it for other code."""

    hands_out = False

    def follow(self, node: ast.expr, truth: bool) -> None:
        """As for ScalarUses, or the number is returned or stored."""
        if truth or not self._is_handed_out(node, self.scope.parent(node)):
            return super().follow(node, truth)
        self.followed.add(node)
        self.hands_out = True
        return None

    def _is_handed_out(self, node: ast.expr, enclosing: ast.AST | None) -> bool:
        if isinstance(enclosing, (ast.Assign, ast.AnnAssign)):
            return all(
                map(self._is_outside, enclosing.targets if isinstance(enclosing, ast.Assign) else [enclosing.target])
            )
        return isinstance(enclosing, ast.Return) or self._is_appended(node, enclosing) or self._is_kept(enclosing)

    def _is_kept(self, enclosing: ast.AST | None) -> bool:
        """Whether the parent of a number is a list, dict or tuple that is bound, stored or returned as a whole."""
        if isinstance(enclosing, ast.keyword):
            call = self.scope.parent(enclosing)
            result = isinstance(call, ast.Call) and self.request.qualified(call.func) == "builtins.dict"
            return result and isinstance(call, ast.expr) and self._is_held(call)
        return isinstance(enclosing, DISPLAYS) and self._is_held(enclosing)

    def _is_held(self, node: ast.expr) -> bool:
        outer = self.scope.parent(node)
        if isinstance(outer, (ast.Assign, ast.AnnAssign)):
            target = single_target(outer)
            is_handed_on = isinstance(target, ast.Name) and self._is_handed_on(target.id)
            return is_handed_on or (target is not None and self._is_outside(target))
        return isinstance(outer, ast.Return) or self._is_appended(node, outer) or self._is_kept(outer)

    def _is_appended(self, node: ast.expr, call: ast.AST | None) -> bool:
        """Whether a call appends an expression to a list that is returned or stored."""
        result = self.request.matched(call, "{values}.append({item})")
        return result is not None and result["item"] is node and self._is_outer(result["values"])

    def _is_outer(self, container: ast.expr) -> bool:
        """Whether a list or dict is returned, stored, or created outside the function."""
        local = isinstance(container, ast.Name) and self.scope.binds(container.id)
        return self._is_handed_on(container.id) if local else isinstance(container, (ast.Name, ast.Attribute))  # type: ignore[attr-defined]

    def _is_handed_on(self, name: str) -> bool:
        """Whether a function only fills the list or dict of a name, and returns or stores it: it reads no item."""
        self.request.limit_uses(name)
        loads = [load for load in self.scope.loads(name) if name not in self._seen]
        self._seen.add(name)  # which may refer to itself
        return not self.scope.shares(name) and all(self._only_fills(load) for load in loads)

    def _only_fills(self, load: ast.expr) -> bool:
        enclosing = self.scope.parent(load)
        if isinstance(enclosing, ast.Subscript):
            return enclosing.value is load and not isinstance(enclosing.ctx, ast.Load)
        if isinstance(enclosing, ast.Attribute):
            return enclosing.attr in ("append", "extend", "update")
        return self._is_handed_out(load, enclosing)

    def _is_outside(self, target: ast.expr) -> bool:
        """Whether the target is an entry of a dict or list, or an attribute that the file does not read."""
        if isinstance(target, ast.Subscript):
            is_plain = not isinstance(self.request.value(target.value), (Tensor, Array))
            return is_plain and self._is_outer(target.value)
        if not isinstance(target, ast.Attribute):
            return False
        module = self.request.module
        parts = walk_rows(module.tree, module.rows_with(target.attr))
        attributes = (part for part in parts if isinstance(part, ast.Attribute) and part.attr == target.attr)
        return all(isinstance(part.ctx, ast.Store) for part in attributes)
