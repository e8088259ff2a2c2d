"""The kinds of fixes: `torch-where` is made by branches/torch_where.py, imported when a finding first needs it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from breaklint import fixes
from breaklint.analysis.questions import DOUBT, listed, quoted
from breaklint.analysis.unusual_tensors import CONCERNS, concerns, not_granted
from breaklint.errors import CardError
from breaklint.fixes.base import (
    CODEMODS,
    DISPLAY,
    UNSAFE,
    Declined,
    Fixer,
    FixRequest,
    NotFixable,
    Outcome,
    Rewrite,
)
from breaklint.fixes.lines import has_neighbours
from breaklint.fixes.names import compiled_by, replaced_methods, unsure_name
from breaklint.fixes.rewrite import Change, Deleted, Put, written_heads, written_names
from breaklint.model import Effect
from breaklint.project.project import BUILTINS
from breaklint.project.walking import variables_in

# The folders of the codemods.
FAMILIES = "branches legacy logging loops masks randomness scalars sizes state".split()
TEMPLATE = "template"  # the kind of fix that a card writes out itself
UNUSUAL = "the file has {}, for which the result or the error may be another one"


def kinds() -> list[str]:
    """Every kind of fix that a card may name."""
    from pkgutil import walk_packages  # who asks for all of them loads all of them

    for module in walk_packages(fixes.__path__, f"{fixes.__name__}."):
        if module.name.split(".")[2] in FAMILIES:
            import_module(module.name)
    return sorted(CODEMODS)


def fix_for(request: FixRequest) -> Outcome:
    """The fix of a finding, which does as it says as long as no file gives cause to doubt its `question`.

    CardError when its card names a kind that does not exist.
    """
    outcome = _made(request)
    if not isinstance(outcome, Rewrite):
        return outcome
    if unsure := unsure_name(request):
        return Declined(f"the name `{unsure}` may mean something else here")
    if compiler := compiled_by(request):
        return Declined(f"`{compiler}` compiles the source of the function")
    if outcome.applicability is DISPLAY:
        return outcome
    if outcome.of:
        from breaklint.analysis.dependences import parts_of  # few fixes come that far

        request.inferred, request.kinds_only = {*outcome.of}, outcome.by_kind
        request.parts = parts_of(request) or None
    if doubts := list(dict.fromkeys(_doubts(request, outcome))):
        outcome = outcome._replace(applicability=UNSAFE, why="; ".join([outcome.why, *doubts]))
    from breaklint.fixes.questions import question_of  # what is declined or only shown does not come that far

    concerned = concerns(request, request.rule.fix_kind) if _rests_on_values(request, outcome) else ()
    concerned += tuple(sorted(request.granted))
    read = set() if outcome.test else variables_in(request.node)  # under a test, code does what it did
    own = {name for name in read | written_heads(outcome) if not request.scope.binds(name)}
    added = sorted({name for edit, name in request.added.items() if edit in outcome.changes})
    known = {*request.module.names, *BUILTINS, *added}
    question = question_of(request, bool(outcome.test))
    question = question._replace(written=written_names(outcome), concerns=concerned)
    question = question._replace(heads=tuple(sorted(own & known)), added=tuple(added))
    return outcome._replace(question=question)


def _doubts(request: FixRequest, rewrite: Rewrite) -> Iterator[str]:
    """All that a fix takes for granted though its file shows it otherwise."""
    if any(edit in rewrite.changes for edit in request.new_imports):
        yield "the file imports torch from then on"
    if any(_parts_a_line(request, change) for change in rewrite.changes):
        yield "what stands on one line warns of the same once, and on several lines once for each"
    # Names of torch or NumPy by which values are known, and that may mean something else in another function.
    unsure = set() if rewrite.test else {*request.bindings.unsure_libraries}
    if unsure := unsure | replaced_methods(request, written_names(rewrite)):
        yield DOUBT.format(quoted(sorted(unsure)))
    if _rests_on_values(request, rewrite) and (unusual := not_granted(request, request.rule.fix_kind)):
        yield UNUSUAL.format(listed(unusual))
    if request.inferred and not rewrite.test:  # no other fix rests on what classes hold
        from breaklint.analysis.traced_stores import untraced

        yield from untraced(request)


def _parts_a_line(request: FixRequest, change: Change) -> bool:
    """Whether a change gives statements of one line lines of their own."""
    if not isinstance(change, (Put, Deleted)):
        return False
    return has_neighbours(request.scope, change[0], change.last if isinstance(change, Put) else change.statement)


def _rests_on_values(request: FixRequest, rewrite: Rewrite) -> bool:
    """Whether a fix rests on what values are."""
    return not rewrite.test and (bool(request.inferred) or request.rule.fix_kind in CONCERNS)


def _is_written(outcome: Outcome | None) -> bool:
    return isinstance(outcome, Rewrite) and outcome.applicability is not DISPLAY


def _made(request: FixRequest) -> Outcome:
    """The first fix that an alternative of the card makes; declined for the first reason that one gives.

    What breaks a graph may stand in a check that is made in eager mode alone, which is better than what is only shown.
    """
    rule = request.rule
    outcome = _first(request, rule.fix_alternatives or (rule.fix_kind,))
    if not _is_written(outcome) and rule.effect is Effect.BREAK:
        guarded = _first(request, ["raise-guard", "eager-branch"])
        outcome = guarded if isinstance(guarded, Rewrite) else outcome
    return outcome or Declined(rule.fix_why)


def _first(request: FixRequest, alternatives: Sequence[str]) -> Outcome | None:
    """The fix of the first alternative that makes one, else the first reason for none; None without a reason."""
    declined: Declined | None = None
    for kind in alternatives:
        try:
            outcome = _fixer(request.rule.code, kind)(request)
        except NotFixable as reason:
            reason.__traceback__ = None  # its frames may hold it
            outcome = Declined(str(reason))
        if isinstance(outcome, Rewrite):
            return outcome._replace(kind=kind)
        declined = declined or (outcome if outcome is not None and outcome.reason else None)
    return declined


@cache
def _fixer(code: str, kind: str) -> Fixer:
    if kind == TEMPLATE:
        from breaklint.fixes.template import replaced  # few cards have one

        return replaced
    name = kind.replace("-", "_")
    for family in FAMILIES if name.isidentifier() else ():
        if find_spec(f"{fixes.__name__}.{family}.{name}") is not None:
            import_module(f"{fixes.__name__}.{family}.{name}")
    if kind not in CODEMODS:
        raise CardError(f"card {code}: fix.kind `{kind}` does not exist; known are {', '.join(kinds())}")
    return CODEMODS[kind]
