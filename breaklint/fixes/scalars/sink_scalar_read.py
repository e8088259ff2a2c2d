"""Numbers that are read from tensors early and used in one branch alone: read there, where the branch needs them."""

from __future__ import annotations

import ast

from breaklint.analysis.alias import makes_floats
from breaklint.analysis.attribute_values import (
    is_setting,
    is_stored_in_others,
    keeps_size,
    made_of,
)
from breaklint.analysis.mutation import sees_names
from breaklint.analysis.purity import is_pure
from breaklint.analysis.queries import Proof
from breaklint.analysis.raising import converted, is_certain, is_scalar, reduced
from breaklint.analysis.shown import RESIZED
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.lines import begins_line
from breaklint.fixes.logging.log_calls import is_of_data
from breaklint.fixes.protocol import Draft, Match, Steps, fix
from breaklint.fixes.rewrite import Above, Change
from breaklint.interp.values import Const, ExternalInstance
from breaklint.project.scope import single_name
from breaklint.project.syntax import own_attribute

WHY = "the copy holds the number as it was, and is read in that branch alone"
READS = ("{t}.item()", "int({t})", "float({t})")
# The facts give InstanceNorm the counter, too, which makes it only when it is asked to track.
BATCH_NORMS = frozenset(f"torch.nn.{name}" for name in "BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm".split())
COUNTER = "num_batches_tracked"
Branch = tuple[ast.expr, list[ast.stmt]]
REPEATING = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@fix("sink-scalar-read")
def sink_scalar_read(m: Match) -> Steps:
    """`n = t.item()`, used inside a later `if` alone: read there, from a copy of the tensor as it was."""
    request, statement = m.request, m.request.statement()
    name = _only_name(request, statement)
    place = request.scope.block(statement)
    if (
        name is None
        or request.scope.shares(name)
        or place is None
        or sees_names(request)
        or not _never_raises(request, request.node)
    ):
        raise NotFixable
    block, index = place
    branches = _branches(request, block[index + 1 :], request.scope.loads(name))
    known = all(isinstance(request.value(test), Const) for test, _ in branches)
    if known or any(is_of_data(request, test) for test, _ in branches):
        raise NotFixable  # there is no branch, or what decides it is known, or breaks as well
    yield Proof(WHY)
    return Draft("Read the number where it is used", _copied(request, name, branches[-1][1][0]))


def _only_name(request: FixRequest, statement: ast.stmt) -> str | None:
    """The name that gets the number, and nothing else, in this statement alone."""
    name = single_name(statement)
    alone = name is not None and statement.value is request.node and len(request.scope.stores(name)) == 1  # type: ignore[attr-defined]
    return name if alone else None


def _branches(request: FixRequest, later: list[ast.stmt], loads: list[ast.Name]) -> list[Branch]:
    """The conditions under which alone a name is read, with the blocks that they lead to."""
    found: list[Branch] = []
    around = [{load, *request.scope.parents(load)} for load in loads]
    holds = [each for each in later if any(each in parents for parents in around)]
    while len(holds) == 1 and isinstance(holds[0], ast.If):
        branch = holds[0]
        side = next((block for block in (branch.body, branch.orelse) if _all_in(block, around)), None)
        if side is None:
            break
        found.append((branch.test, side))
        holds = [each for each in side if any(each in parents for parents in around)]
    return found


def _all_in(block: list[ast.stmt], around: list[set[ast.AST]]) -> bool:
    return all(any(statement in parents for statement in block) for parents in around)


def _never_raises(request: FixRequest, node: ast.AST) -> bool:
    """Whether a number is read from a tensor that surely has one element, as what it is."""
    found = request.matched(node, *READS)
    if found is None or not is_pure(request, node):
        return False
    tensor, whole = request.tensor(found["t"]), request.matched(node, "int({t})") is not None
    # A conversion warns of a tensor that needs a gradient, which no integer does, nor what is detached.
    detached = not whole and request.matched(found["t"], "{t}.detach()", "{t}.data") is not None
    kept = tensor is not None and (tensor.dtype == "int" or (tensor.dtype == "float" and detached))
    return (kept or request.matched(node, "{t}.item()") is not None) and _has_one_element(request, found["t"])


def _has_one_element(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression surely gives a tensor of one element, and raises nothing."""
    if isinstance(node, ast.Attribute) and node.attr == COUNTER:
        return _is_tracking(request, node.value)
    if request.tensor(node) is None or request.may_be_none(node):
        return False
    if isinstance(node, ast.Name):
        return is_scalar(request, node)
    if isinstance(node, ast.Call):
        whole, source = reduced(request, node), converted(request, node)
        return is_certain(request, whole) if whole else source is not None and _has_one_element(request, source)
    if not isinstance(node, ast.Attribute):
        return False
    if node.attr == "data":
        return _has_one_element(request, node.value)
    made = _made(request, node)
    request.granted.add(RESIZED)
    return made is not None and _makes_one(request, made) and keeps_size(request, node.attr)


def _is_tracking(request: FixRequest, node: ast.expr) -> bool:
    """Whether a module is a batch norm that counts its batches, as they do by default."""
    request.granted.add(RESIZED)
    if not isinstance(node, ast.Attribute) or not is_setting(request, node.attr):
        return False
    value, made = request.value(node), _made(request, node)
    told = isinstance(made, ast.Call) and any(keyword.arg in ("track_running_stats", None) for keyword in made.keywords)
    norm = isinstance(value, ExternalInstance) and value.cls in BATCH_NORMS
    plain = norm and isinstance(made, ast.Call) and not told and len(made.args) < 5
    return plain and not is_stored_in_others(request, COUNTER)


def _made(request: FixRequest, node: ast.Attribute) -> ast.expr | None:
    """The one expression that `self.name` is made of."""
    return made_of(request, node.attr) if own_attribute(node) and request.cls is not None else None


def _makes_one(request: FixRequest, node: ast.expr) -> bool:
    """`torch.zeros(1)`, `torch.tensor(0.5)`."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or not isinstance(node.args[0], ast.Constant):
        return False
    name = request.qualified(node.func)
    return name == "torch.tensor" or (makes_floats(request, name) and node.args[0].value == 1)


def _copied(request: FixRequest, name: str, head: ast.stmt) -> tuple[Change, ...]:
    """The tensor as it is now, and the number read from it where it is used; at the head of the branch where it is used
    several times."""
    call, loads = request.node, request.scope.loads(name)
    several = len(loads) > 1 or any(_is_repeated(request, load) for load in loads)
    assert isinstance(call, ast.Call)
    source = (request.matched(call, *READS) or {})["t"]
    read = f"{request.code(call.func)}({name})" if call.args else f"{name}.item()"
    copy = request.exchange(call, f"{request.operand(source)}.detach().clone()")
    if not several:
        return copy, request.exchange(loads[0], read)
    if not begins_line(request.module, head) or (isinstance(head, ast.If) and request.is_elif(head)):
        raise NotFixable
    return copy, Above(head, f"{name} = {read}")


def _is_repeated(request: FixRequest, load: ast.Name) -> bool:
    """Whether a use may run several times for one number: in a loop behind it, or in a function of its own."""
    turns = set(request.scope.parents(load)) - set(request.scope.parents(request.node))
    return request.scope.is_inner(load) or any(isinstance(each, REPEATING) for each in turns)
