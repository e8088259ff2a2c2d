"""print, logging and warnings, kept out of the compiled graph."""

from __future__ import annotations

from breaklint.analysis.queries import No, Proof
from breaklint.fixes.logging.log_calls import is_local_filter, under_guard
from breaklint.fixes.protocol import Match, Steps, fix

SAME = "eager mode does what it did"
HIDDEN = "it hides warnings of Python code, which a graph does not run"


@fix("guard-compiling")
def guard_compiling(m: Match) -> Steps:
    """`print(x)` -> `if not torch.compiler.is_compiling(): print(x)`."""
    filters = is_local_filter(m)
    if m.request.settings.log_fix == "delete" and not filters:
        yield No()
    yield Proof(HIDDEN if filters else SAME)
    return (yield from under_guard(m, "" if filters else m.request.rule.fix_why))
