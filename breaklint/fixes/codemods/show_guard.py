"""A call that does something, under a test that it is not compiled: shown, never written."""

from __future__ import annotations

from breaklint.fixes.base import DISPLAY, Declined, FixRequest, Outcome, codemod
from breaklint.fixes.codemods.guard_compiling import guard_compiling


@codemod
def show_guard(request: FixRequest) -> Outcome:
    """A call that does something, under `if not torch.compiler.is_compiling():`."""
    outcome = guard_compiling(request)
    return outcome if isinstance(outcome, Declined) else outcome._replace(applicability=DISPLAY)
