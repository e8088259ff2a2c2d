"""The message of `torch._check` as a literal: shown, never written."""

from __future__ import annotations

import ast

from breaklint.fixes.advice import shown
from breaklint.fixes.base import FixRequest, NotFixable, Outcome, codemod
from breaklint.fixes.branches.literal_message import literal


@codemod
def show_literal(request: FixRequest) -> Outcome:
    """The message of `torch._check` without its values."""
    call = request.node
    message = call.args[1] if isinstance(call, ast.Call) and len(call.args) == 2 else None
    said = message.body if isinstance(message, ast.Lambda) else message
    if message is None or said is None:
        raise NotFixable(request.rule.fix_why)
    text = request.code(said) if isinstance(said, ast.Constant) else literal(said)
    return shown(request, message, f"lambda: {text}")
