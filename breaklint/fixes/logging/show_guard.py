"""A call that does something, under a test that it is not compiled: shown, never written."""

from __future__ import annotations

from breaklint.fixes.logging.log_calls import SAME, under_guard
from breaklint.fixes.protocol import Draft, Match, fix


@fix("show-guard", safe=SAME)
def show_guard(m: Match) -> Draft:
    """A call that does something, under `if not torch.compiler.is_compiling():`."""
    return under_guard(m, m.request.rule.fix_why)._replace(display_only=True)
