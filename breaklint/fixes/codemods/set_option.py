"""Options of the compiler, set where a file is imported."""

from __future__ import annotations

import ast

from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Verdict, codemod
from breaklint.model import Edit, Fix, Position, Span
from breaklint.project.spans import lines_of


@codemod
def set_option(request: FixRequest) -> Fix:
    """`torch._dynamo.config.allow_rnn = True` behind the imports of the file, for the option that the card names."""
    option = request.rule.setting.removeprefix("torch.")
    if not option:
        raise NotFixable("its card names no option")
    torch, imports = request.name_of("torch")
    row = _behind_imports(request)
    lines = lines_of(request.module)
    space = "" if row > len(lines) or not lines[row - 1].strip() else "\n"
    content = f"\n{torch}.{option} = True\n{space}"
    place = Position(row, 1)
    verdict = Verdict(UNSAFE, request.rule.fix_why, f"Set `{request.rule.setting}`")
    return Fix(verdict.applicability, verdict.message, verdict.why, (*imports, Edit(Span(place, place), content)))


def _behind_imports(request: FixRequest) -> int:
    """The row behind the last import that stands before the file's first class or function."""
    row = 0
    for statement in request.module.tree.body:
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            break
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            row = (statement.end_lineno or statement.lineno) + 1
    if row == 0:
        raise NotFixable("the file imports nothing before its first class")
    return row
