"""The kinds of fixes: `torch-where` is made by codemods/torch_where.py, imported when a finding first needs it."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from breaklint.errors import CardError
from breaklint.fixes import codemods
from breaklint.fixes.base import (
    CODEMODS,
    DISPLAY,
    SAFE,
    UNSAFE,
    Declined,
    Fixer,
    FixRequest,
    NotFixable,
    Outcome,
    Rewrite,
)
from breaklint.fixes.proofs.granted import CONCERNS, not_granted
from breaklint.fixes.proofs.names import unsure_elsewhere, unsure_name
from breaklint.model import Effect

OTHERWISE = "`{}` may be something else here, of which the result or the error may be another one"
UNUSUAL = "the file has {}, for which the result or the error may be another one"


def kinds() -> list[str]:
    """Every kind of fix that a card may name."""
    from pkgutil import iter_modules  # who asks for all of them loads all of them

    for module in iter_modules(codemods.__path__):
        import_module(f"{codemods.__name__}.{module.name}")
    return sorted(CODEMODS)


def fix_for(request: FixRequest) -> Outcome:
    """The fix of a finding. CardError when its card names a kind that does not exist."""
    unsure = unsure_name(request)
    if unsure:
        return Declined(f"the name `{unsure}` may mean something else here")
    outcome = _made(request)
    if not _is_written(outcome) and request.rule.effect is Effect.BREAK:
        from breaklint.fixes.codemods.raise_guard import raise_guard  # as all codemods: only when a finding needs it

        with suppress(NotFixable):
            outcome = raise_guard(request) or outcome
    if isinstance(outcome, Declined) and request.rule.setting:
        from breaklint.fixes.codemods.capture_option import captured  # last: it holds for the whole program

        outcome = captured(request, outcome.reason)
    if isinstance(outcome, Rewrite) and any(edit in outcome.changes for edit in request.new_imports):
        outcome = _unsafe(outcome, "the file imports torch from then on")
    if not isinstance(outcome, Rewrite) or outcome.applicability is DISPLAY:
        return outcome
    if unsure := unsure_elsewhere(request):
        return _unsafe(outcome, OTHERWISE.format(unsure))
    of_tensors = request.inferred or request.rule.fix_kind in CONCERNS
    if of_tensors and (unusual := not_granted(request)):
        return _unsafe(outcome, UNUSUAL.format(unusual))
    if outcome.applicability is SAFE and request.inferred:
        from breaklint.fixes.proofs.dispatch import doubtful_read  # no other fix rests on what classes hold

        if doubtful := doubtful_read(request):
            return _unsafe(outcome, OTHERWISE.format(doubtful))
    return outcome


def _is_written(outcome: Outcome) -> bool:
    return isinstance(outcome, Rewrite) and outcome.applicability is not DISPLAY


def _unsafe(rewrite: Rewrite, why: str) -> Rewrite:
    """The rewrite, no longer safe for one more reason."""
    worst = UNSAFE if rewrite.applicability is SAFE else rewrite.applicability
    return rewrite._replace(applicability=worst, why=f"{rewrite.why}; {why}")


def _made(request: FixRequest) -> Outcome:
    """What the kind of fix that the card names makes of a finding."""
    try:
        if request.rule.fix_replace:
            from breaklint.fixes.template import replaced

            return replaced(request)
        return _fixer(request.rule.code, request.rule.fix_kind)(request)
    except NotFixable as reason:
        reason.__traceback__ = None  # its frames may hold it
        return Declined(str(reason))


@cache
def _fixer(code: str, kind: str) -> Fixer:
    name = kind.replace("-", "_")
    if name.isidentifier() and find_spec(f"{codemods.__name__}.{name}") is not None:
        import_module(f"{codemods.__name__}.{name}")
    if kind not in CODEMODS:
        raise CardError(f"card {code}: fix.kind `{kind}` does not exist; known are {', '.join(kinds())}")
    return CODEMODS[kind]
