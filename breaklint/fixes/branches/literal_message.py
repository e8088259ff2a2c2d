"""Messages of checks, of which a graph keeps literals alone."""

from __future__ import annotations

import ast

from breaklint.fixes.base import NotFixable


def literal(message: ast.expr) -> str:
    """The fixed part of an f-string, as the source of a string; raises NotFixable where there is none."""
    if not isinstance(message, ast.JoinedStr):
        raise NotFixable("its message is computed")
    parts = [part.value for part in message.values if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    text = " ".join(" ".join(part.strip() for part in parts).split()).rstrip(" :,;=(-").replace(" )", ")")
    if not text:
        raise NotFixable("nothing of its message is a literal")
    quoted = repr(text)
    return quoted if '"' in text else f'"{quoted[1:-1]}"'.replace("\\'", "'")
