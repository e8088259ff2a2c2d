"""The message of `torch._check` as a literal: shown, never written."""

from __future__ import annotations

import ast

from breaklint.analysis.queries import Doubt
from breaklint.fixes.base import NotFixable
from breaklint.fixes.branches.literal_message import literal
from breaklint.fixes.protocol import Match, Steps, fix


@fix("show-literal")
def show_literal(m: Match) -> Steps:
    """The message of `torch._check` without its values."""
    request, call = m.request, m.request.node
    message = call.args[1] if isinstance(call, ast.Call) and len(call.args) == 2 else None
    said = message.body if isinstance(message, ast.Lambda) else message
    if message is None or said is None:
        raise NotFixable(request.rule.fix_why)
    text = request.code(said) if isinstance(said, ast.Constant) else literal(said)
    yield Doubt(request.rule.fix_why)
    return m.advised(message, f"lambda: {text}")
