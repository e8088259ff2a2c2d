"""Patterns of code in codemods: `len({x})` matches a call of Python's own len, and captures its argument."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest
from breaklint.rules import patterns

Captured = dict[str, ast.expr]


def matched(request: FixRequest, node: ast.AST | None, *texts: str) -> Captured | None:
    """What the first pattern that matches a node captures, None where none does. Names are compared as they resolve."""
    found = (patterns.match(text, node, request.qualified) for text in texts if node is not None)
    return next((each for each in found if each is not None), None)
