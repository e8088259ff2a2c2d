"""Code for findings that a person has to decide about: shown with what it changes, never written."""

from __future__ import annotations

import ast

from breaklint.fixes.base import DISPLAY, FixRequest, Rewrite, Verdict
from breaklint.model import Edit


def shown(request: FixRequest, node: ast.expr, content: str, imports: tuple[Edit, ...] = ()) -> Rewrite:
    """What a finding is shown with: `content` in place of an expression."""
    return request.replace(node, content, advised(request, content), imports)


def advised(request: FixRequest, content: str) -> Verdict:
    """The verdict on code that is shown, with the reason on the card."""
    return Verdict(DISPLAY, request.rule.fix_why, f"Write `{request.shown(content)}`")
