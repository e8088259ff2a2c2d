"""Numbers and sizes read from tensors, let into the graph by an option of the compiler: shown, never written."""

from __future__ import annotations

from dataclasses import replace

from breaklint.fixes.base import DISPLAY, Declined, FixRequest, NotFixable, Outcome
from breaklint.fixes.bounds import checks_of
from breaklint.fixes.found_rows import over_all
from breaklint.fixes.options import set_option
from breaklint.fixes.value_flow import ValueFlow
from breaklint.interp.events import Call
from breaklint.interp.values import Tensor
from breaklint.rules.compiler_options import captures

HOLDS = "the option holds for all that the program compiles, and every new use may need a bound"


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
        checks = [edit for bound in flow.bounds for edit in checks_of(request, bound)]
        fix = set_option(request)
    except NotFixable as missing:
        return _over_all(request, str(missing) if reason == request.rule.fix_why else reason)
    if isinstance(request.event, Call) and request.event.method == "tolist" and not _is_whole(request):
        reason += "; only integers are let in as a list"
    message = f"Let it into the graph: `{option} = True`" + (", and bound it with `torch._check`" if checks else "")
    edits = tuple(dict.fromkeys((*fix.edits, *checks)))
    return replace(fix, applicability=DISPLAY, message=message, why=f"{reason}; {HOLDS}", edits=edits)


def _is_whole(request: FixRequest) -> bool:
    owner = request.event.owner if isinstance(request.event, Call) else None
    return isinstance(owner, Tensor) and owner.dtype == "int"


def _over_all(request: FixRequest, reason: str) -> Outcome:
    try:
        return over_all(request, request.node)
    except NotFixable:
        return Declined(reason)
