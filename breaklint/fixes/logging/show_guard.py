"""A call that does something, under a test that it is not compiled: shown, never written."""

from __future__ import annotations

from breaklint.analysis.queries import Proof
from breaklint.fixes.logging.log_calls import SAME, under_guard
from breaklint.fixes.protocol import Match, Steps, fix


@fix("show-guard")
def show_guard(m: Match) -> Steps:
    """A call that does something, under `if not torch.compiler.is_compiling():`."""
    yield Proof(SAME)
    draft = yield from under_guard(m, m.request.rule.fix_why)
    return draft._replace(shown=True)
