"""How a codemod is written: the conditions under which the change is right, and the new code.

    @fix("saved-tensors", safe=WHY, unsafe=OTHER)
    def saved_tensors(m: Match) -> Draft:
        node = m.request.node
        m.require(isinstance(node, ast.Attribute), "it is not read by its name")
        return m.exchanged(node, f"{m.request.operand(node.value)}.saved_tensors", "Rename to `saved_tensors`")

A kind with the text `safe` alone is safe, and one with the text `unsafe` alone, or with none, is unsafe. A kind with
both is safe under the conditions that it passes to `safe_if`. NotFixable declines, and the next alternative of the card
is tried.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from breaklint.fixes.base import CODEMODS, DISPLAY, SAFE, UNSAFE, Codemod, FixRequest, NotFixable
from breaklint.fixes.rewrite import Change, Deleted, Put, Rewrite


class Draft(NamedTuple):
    """The change of a fix: message, changes, and whether it is only shown."""

    message: str
    changes: tuple[Change, ...]
    display_only: bool = False


class Match:
    """A finding to fix, and whether its fix is safe."""

    def __init__(self, request: FixRequest) -> None:
        self.request, self.is_safe = request, True

    def require(self, holds: bool, reason: str) -> None:
        """Decline unless a condition holds; `reason` completes "not fixed: …"."""
        if not holds:
            raise NotFixable(reason)

    def safe_if(self, holds: bool) -> None:
        """Make the fix unsafe unless a condition holds."""
        self.is_safe &= holds

    def exchanged(self, node: ast.expr, code: str, message: str, *extra: Change) -> Draft:
        """Code in place of an expression."""
        return Draft(message, (*extra, self.request.exchange(node, code)))

    def advised(self, node: ast.expr, code: str, *extra: Change) -> Draft:
        """Code in place of an expression that is shown and never written."""
        return self.exchanged(node, code, f"Write `{self.request.one_line(code)}`", *extra)._replace(display_only=True)

    def put(self, first: ast.stmt, code: str, message: str, *extra: Change) -> Draft:
        """Code in place of a statement; comments in it move above."""
        return Draft(message, (*extra, Put(first, first, code)))

    def deleted(self, statement: ast.stmt) -> Draft:
        """Nothing in place of a statement."""
        return Draft("Delete it", (Deleted(statement),))


Steps = Callable[[Match], Draft]


def fix(name: str, *, safe: str = "", unsafe: str = "") -> Callable[[Steps], Codemod]:
    """Make a function the codemod of a kind.

    `safe` states why the kind is safe, `unsafe` the results that may differ. If both are empty, the card's `why` is
    used.
    """

    def register(steps: Steps) -> Codemod:
        def make(request: FixRequest) -> Rewrite:
            return rewrite_of(steps, Match(request), codemod)

        summary = " ".join((steps.__doc__ or "").partition("\n\n")[0].split())
        codemod = CODEMODS[name] = Codemod(make, safe, unsafe, summary)
        return codemod

    return register


def rewrite_of(steps: Steps, m: Match, kind: Codemod) -> Rewrite:
    """The rewrite of a match, with the applicability and the text of its kind."""
    draft = steps(m)
    is_safe = m.is_safe and bool(kind.safe)
    applicability = DISPLAY if draft.display_only else SAFE if is_safe else UNSAFE
    why = (kind.safe if is_safe else kind.unsafe) or m.request.rule.fix_why
    return Rewrite(applicability, draft.message, why, draft.changes)
