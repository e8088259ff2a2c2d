"""How a codemod is written: a pattern, the conditions under which the change is right, and the new code.

    @fix("new-ones", match="{x}.new().resize_({size}).fill_(1)", unsafe="The result may lie on another device.")
    def new_ones(m: Match) -> Draft:
        m.require(m.request.tensor(m["x"]) is not None, "its source is not known to be a tensor")
        return m.replaced("{x}.new_ones({size})", "Use `new_ones`")

A kind with the text `safe` alone is safe, and one with the text `unsafe` alone, or with none, is unsafe. A kind with
both is safe under the conditions that it passes to `safe_if`. NotFixable declines, and the next alternative of the card
is tried.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from breaklint.analysis import patterns
from breaklint.analysis.model import Captured
from breaklint.fixes.base import CODEMODS, DISPLAY, SAFE, UNSAFE, Codemod, FixRequest, NotFixable, Outcome
from breaklint.fixes.rewrite import Change, Deleted, Put, Rewrite


class Draft(NamedTuple):
    """The change of a fix: message, changes, and whether it is only shown; other fields are those of Rewrite."""

    message: str
    changes: tuple[Change, ...]
    display_only: bool = False
    test: str = ""


class Match:
    """A finding that a codemod matches, with the captures of its pattern."""

    def __init__(self, request: FixRequest, captured: Captured) -> None:
        self.request, self.captured = request, captured
        self.is_safe = True

    def __getitem__(self, name: str) -> ast.expr:
        return self.captured[name]

    def require(self, holds: bool, reason: str) -> None:
        """Decline unless a condition holds; `reason` completes "not fixed: …"."""
        if not holds:
            raise NotFixable(reason)

    def safe_if(self, holds: bool) -> None:
        """Make the fix unsafe unless a condition holds."""
        self.is_safe &= holds

    def replaced(self, template: str, message: str, *extra: Change) -> Draft:
        """A template that replaces the flagged expression; names in braces are captures."""
        assert isinstance(self.request.node, ast.expr)
        code = patterns.filled(
            template, {name: self.request.operand(self[name]) for name in patterns.names_in(template)}
        )
        return self.exchanged(self.request.node, code, message, *extra)

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


def fix(
    name: str, match: str | tuple[str, ...] = (), other: str = "", *, safe: str = "", unsafe: str = ""
) -> Callable[[Steps], Codemod]:
    """Make a function the codemod of a kind.

    `match` are alternative patterns for the flagged expression. If none matches, the fix declines, with the reason
    `other` if it is given. `safe` states why the kind is safe, `unsafe` the results that may differ. If both are empty,
    the card's `why` is used.
    """
    texts = (match,) if isinstance(match, str) else match

    def register(steps: Steps) -> Codemod:
        def make(request: FixRequest) -> Outcome | None:
            captured = request.matched(request.node, *texts) if texts else {}
            if captured is None and other:
                raise NotFixable(other)
            return None if captured is None else rewrite_of(steps, Match(request, captured), codemod)

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
    return Rewrite(applicability, draft.message, why, draft.changes, test=draft.test)
