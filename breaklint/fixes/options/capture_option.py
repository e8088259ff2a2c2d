"""Numbers and sizes read from tensors, let into the graph by an option of the compiler where no rewrite is right."""

from __future__ import annotations

import ast
from itertools import chain

from breaklint.analysis.queries import Doubt
from breaklint.fixes.base import DISPLAY, FixRequest, NotFixable
from breaklint.fixes.options.set_option import for_the_program, may_raise, option_edits
from breaklint.fixes.options.slice_bounds import Bound
from breaklint.fixes.options.value_flow import READING, ValueFlow
from breaklint.fixes.protocol import Draft, Match, Steps, fix
from breaklint.fixes.rewrite import Above, Change, Replaced
from breaklint.interp.events import Call
from breaklint.interp.values import Number, Tensor
from breaklint.rules.compiler_options import captures

HOLDS = (
    "the option holds for all that the program compiles, and importing the file loads the compiler; code that needs "
    "such a value while it is traced (a list index, text, `and`, the slope of an activation) may fail to compile where "
    "it broke the graph; Inductor computes with the numbers as tensors of 32 bits: they are rounded, and division by "
    "zero and overflow give infinity"
)
MOST = 100
"""So many numbers that a function reads are followed, each again for every finding."""


@fix("capture-option")
def capture_option(m: Match) -> Steps:
    """The option of the card, where no other fix is right and a graph can follow the value.

    It is shown alone, not written, where a slice has to be checked, which raises in eager mode too, where a list may
    hold numbers that are no integers, where an operator takes a tensor as a size, which all that is computed with its
    result has to agree with, and in a loop that runs in eager mode as long as data says how often it runs.
    """
    request = m.request
    option, reason = request.rule.setting, request.declined
    if not option or request.rule.fix_kind == "set-option" or not captures(request.event):
        raise NotFixable
    flow = ValueFlow(request)
    flow.start(request.node)
    checks = [edit for bound in flow.bounds for edit in _checks_of(request, bound)]
    _follow_others(request)
    edits = option_edits(request, option)
    doubtful = isinstance(request.event, Call) and request.event.method == "tolist" and not _is_whole(request)
    if doubtful:
        reason += "; only integers are let in as a list"
    if may_raise(request, option):
        reason += "; `tolist`, which this code calls, raises when compiled once data says how long its tensor is"
    message = f"Let it into the graph: `{option} = True`" + (", and bound it with `torch._check`" if checks else "")
    changes = tuple(dict.fromkeys((*edits, *checks)))
    shown = checks or doubtful or _sizes_a_tensor(request) or _is_in_open_loop(request)
    yield Doubt(f"{reason}; {HOLDS}")
    return Draft(message, changes, shown=bool(shown) or for_the_program(request, option) is DISPLAY)


def _follow_others(request: FixRequest) -> None:
    """Follow the other numbers that the function reads: the option lets them in as well."""
    reads = [request.scope.calls.get(name, []) for name in ("item", "int", "float")]
    if sum(map(len, reads)) > MOST:
        raise NotFixable(f"the function reads more than {MOST} numbers")
    for node in chain.from_iterable(reads):
        if node is request.node or not isinstance(request.value(node), Number):
            continue
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if method == "item" or request.qualified(node.func) in READING:
            ValueFlow(request).follow(node, True)


def _sizes_a_tensor(request: FixRequest) -> bool:
    return request.rule.setting.endswith("capture_scalar_outputs") and isinstance(request.value(request.node), Tensor)


def _is_in_open_loop(request: FixRequest) -> bool:
    around = list(request.scope.parents(request.node))
    over = [request.value(each.iter) for each in around if isinstance(each, ast.For)]
    return any(isinstance(value, (Tensor, Number)) for value in over) or any(isinstance(e, ast.While) for e in around)


def _is_whole(request: FixRequest) -> bool:
    owner = request.event.owner if isinstance(request.event, Call) else None
    return isinstance(owner, Tensor) and owner.dtype == "int"


def _checks_of(request: FixRequest, bound: Bound) -> list[Change]:
    """`torch._check` that a slice stays within its tensor, right before the statement that slices."""
    statement = request.statement(bound.node)
    place = request.scope.block(statement)
    if place is None or hasattr(statement, "body") or not isinstance(bound.sliced, (ast.Name, ast.Attribute)):
        raise NotFixable("there is no place for a check before it")
    if any(isinstance(around, (ast.comprehension, ast.ListComp)) for around in request.scope.parents(bound.node)):
        raise NotFixable("there is no place for a check before it")
    torch, _ = request.name_of("torch")
    name = request.text(bound.node)
    lines: list[str] = []
    changes: list[Change] = []
    if not isinstance(bound.node, ast.Name) or isinstance(request.value(bound.node), Tensor):
        name = _unused(request, "bound")
        read = f"{request.operand(bound.node)}.item()" if isinstance(request.value(bound.node), Tensor) else None
        lines.append(f"{name} = {read or request.code(bound.node)}")
        changes.append(Replaced(bound.node, name))
    size = f"{request.text(bound.sliced)}.shape[{bound.dim}]"
    lines += [f"{torch}._check({name} >= 0)", f"{torch}._check({name} <= {size})"]
    return [Above(statement, "\n".join(lines)), *changes]


def _unused(request: FixRequest, name: str) -> str:
    if request.scope.binds(name) or name in request.module.names or request.scope.loads(name):
        raise NotFixable(f"the name `{name}` means something else here")
    return name
