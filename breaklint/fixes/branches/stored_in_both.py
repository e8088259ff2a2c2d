"""A buffer that both branches register, with what each makes ready first, as one buffer of a selection."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import UNSAFE, FixRequest, Rewrite, Verdict, codemod
from breaklint.fixes.branches import where_doubts
from breaklint.fixes.branches.conditions import branch_of
from breaklint.fixes.branches.logic import as_tensor
from breaklint.project.scope import single_target
from breaklint.project.walking import dotted_name, walk

WHY = (
    "the result is a new tensor instead of one of the two, of which both are read; it raises where they differ in "
    "shape or dtype"
)
WHY_FIRST = "what the first call initialises is initialised whichever side is taken"
WHY_MOVED = "what is moved to a device is moved whichever side is taken"


@dataclass
class Side:
    """A branch that makes attributes ready and registers a buffer.

    `ready` are the lines before, `made` the attributes that they store, and `whys` what differs when they run unasked.
    """

    call: ast.Call
    ready: list[str] = field(default_factory=list)
    made: set[str] = field(default_factory=set)
    whys: list[str] = field(default_factory=list)

    @property
    def value(self) -> ast.expr:
        """What becomes the buffer."""
        return self.call.args[1]

    @property
    def target(self) -> list[str]:
        """The call without that value."""
        return [ast.dump(each) for each in (self.call.func, self.call.args[0], *self.call.keywords)]

    def disturbs(self, other: Side) -> bool:
        """Whether what is made ready here changes what the other side makes ready or registers."""
        parts = walk(other.value)
        return bool(self.made & (other.made | {part.attr for part in parts if isinstance(part, ast.Attribute)}))


@codemod
def stored_in_both(request: FixRequest) -> Rewrite | None:
    """`if c: self.register_buffer("b", x) else: self.register_buffer("b", y)` -> one, of `torch.where(c, x, y)`.

    Before its store, a branch may initialise an attribute that is not there yet, and move one to a device. None where
    it does more.
    """
    branch = branch_of(request)
    if branch is None:
        return None
    sides = [_side(request, block) for block in (branch.body, branch.orelse)]
    first, second = sides
    if first is None or second is None or first.target != second.target or request.text(branch).startswith("elif"):
        return None
    if first.disturbs(second) or second.disturbs(first) or not _is_steady(request, branch.test):
        return None
    torch, imports = request.name_of("torch")
    a, b = request.code(first.value), request.code(second.value)
    selected = f"{torch}.where({as_tensor(request, branch.test)}, {a}, {b})"
    lines = [*first.ready, *second.ready, f"assert ({a}.shape, {a}.dtype) == ({b}.shape, {b}.dtype)"]
    lines.append(_registered(request, first.call, selected))
    whys = [WHY, *first.whys, *second.whys, *where_doubts.test_doubts(request, branch.test)]
    verdict = Verdict(UNSAFE, "; ".join(dict.fromkeys(whys)), "Select with `torch.where`")
    return request.rewrite(branch, branch, "\n".join(lines), verdict, imports)


def _is_steady(request: FixRequest, test: ast.expr) -> bool:
    """Whether a condition gives the same after what the branches make ready: it reads names only."""
    parts = list(walk(test))
    methods = {part.func for part in parts if isinstance(part, ast.Call)}
    reads = (part for part in parts if isinstance(part, (ast.Attribute, ast.Subscript)) and part not in methods)
    return is_pure(request, test) and not any(reads)


def _side(request: FixRequest, block: list[ast.stmt]) -> Side | None:
    call = _registering(block[-1]) if block else None
    if call is None:
        return None
    side = Side(call)
    for statement in block[:-1]:
        if not (_initialises(request, statement, side) or _moves(request, statement, side)):
            return None
    return side


def _registering(statement: ast.stmt) -> ast.Call | None:
    """`self.register_buffer("b", x, persistent=False)`, where x is a name or an attribute."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or len(call.args) != 2:
        return None
    named = call.func.attr == "register_buffer" and dotted_name(call.func) and dotted_name(call.args[1])
    plain = all(isinstance(each, ast.Constant) for each in (call.args[0], *(each.value for each in call.keywords)))
    return call if named and plain and all(each.arg for each in call.keywords) else None


def _registered(request: FixRequest, call: ast.Call, value: str) -> str:
    options = "".join(f", {each.arg}={request.code(each.value)}" for each in call.keywords)
    return f"{request.code(call.func)}({request.code(call.args[0])}, {value}{options})"


def _initialises(request: FixRequest, statement: ast.stmt, side: Side) -> bool:
    """Note `if not hasattr(self, "a"): self.a, _ = f()` as made ready."""
    made = statement.body[0] if isinstance(statement, ast.If) and len(statement.body) == 1 else None
    if not isinstance(statement, ast.If) or statement.orelse or not isinstance(made, ast.Assign):
        return False
    asked = request.matched(statement.test, "not hasattr({it}, {name})")
    targets = made.targets[0].elts if isinstance(made.targets[0], ast.Tuple) else made.targets
    own = [each for each in targets if isinstance(each, ast.Attribute)]
    unread = all(
        each in own
        or (isinstance(each, ast.Name) and not request.scope.loads(each.id) and not request.scope.shares(each.id))
        for each in targets
    )
    if asked is None or len(made.targets) != 1 or len(own) != 1 or not unread:
        return False
    it, name = asked["it"], asked["name"]
    if not isinstance(it, ast.Name) or ast.dump(own[0].value) != ast.dump(it):
        return False
    if not isinstance(name, ast.Constant) or name.value != own[0].attr:
        return False
    side.ready += [f"if {request.code(statement.test)}:", f"    {request.code(made)}"]
    side.made.add(own[0].attr)
    side.whys.append(WHY_FIRST)
    return True


def _moves(request: FixRequest, statement: ast.stmt, side: Side) -> bool:
    """Note `self.a = self.a.to(device)` as made ready."""
    target = single_target(statement)
    call = statement.value if isinstance(statement, ast.Assign) else None
    moved = request.matched(call, "{it}.to({device})", "{it}.to(device={device})")
    if not isinstance(target, ast.Attribute) or moved is None or dotted_name(target) is None:
        return False
    if request.text(moved["it"]) != request.text(target) or dotted_name(moved["device"]) is None:
        return False
    side.ready.append(request.code(statement))
    side.made.add(target.attr)
    side.whys.append(WHY_MOVED)
    return True
