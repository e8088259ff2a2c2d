"""Numbers and sizes read from tensors, let into the graph by an option of the compiler: shown, never written."""

from __future__ import annotations

import ast
from dataclasses import replace

from breaklint.fixes.base import DISPLAY, Declined, FixRequest, NotFixable, Outcome, codemod
from breaklint.fixes.codemods.found_rows import over_all
from breaklint.fixes.codemods.set_option import set_option
from breaklint.fixes.proofs.bounds import Bound
from breaklint.fixes.proofs.value_flow import ValueFlow
from breaklint.fixes.rewrite import Above, Change, Replaced
from breaklint.interp.events import Call
from breaklint.interp.values import Tensor
from breaklint.rules.compiler_options import captures

HOLDS = "the option holds for all that the program compiles, and every new use may need a bound"


@codemod
def show_option(request: FixRequest) -> Outcome:
    """No edit that may be written; `captured` looks whether the option of the card helps."""
    raise NotFixable(request.rule.fix_why)


def captured(request: FixRequest, reason: str) -> Outcome:
    """The option of the card, where all that becomes of the value stays in the graph; else declined for `reason`."""
    option = request.rule.setting
    if not option or request.rule.fix_kind == "set-option" or not captures(request.event):
        return Declined(reason)
    try:
        flow = ValueFlow(request)
        flow.start(request.node)
        checks = [edit for bound in flow.bounds for edit in _checks_of(request, bound)]
        fix = set_option(request)
    except NotFixable as missing:
        return _over_all(request, str(missing) if reason == request.rule.fix_why else reason)
    if isinstance(request.event, Call) and request.event.method == "tolist" and not _is_whole(request):
        reason += "; only integers are let in as a list"
    message = f"Let it into the graph: `{option} = True`" + (", and bound it with `torch._check`" if checks else "")
    changes = tuple(dict.fromkeys((*fix.changes, *checks)))
    return replace(fix, applicability=DISPLAY, message=message, why=f"{reason}; {HOLDS}", changes=changes)


def _is_whole(request: FixRequest) -> bool:
    owner = request.event.owner if isinstance(request.event, Call) else None
    return isinstance(owner, Tensor) and owner.dtype == "int"


def _over_all(request: FixRequest, reason: str) -> Outcome:
    try:
        return over_all(request, request.node)
    except NotFixable:
        return Declined(reason)


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
