"""The fix of a card with a template: `fix: {replace: "sum(edge <= {x} for edge in {edges})"}`."""

from __future__ import annotations

import ast
import builtins

from breaklint.analysis import patterns
from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.protocol import Match
from breaklint.fixes.rewrite import Change, Rewrite
from breaklint.model import Applicability
from breaklint.project.walking import variables_in, walk

_REPEATING = (ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.IfExp, ast.BoolOp)


def replaced(request: FixRequest) -> Rewrite:
    """The template of a card in place of the matched code, with its imports."""
    rule, node = request.rule, request.node
    result = (patterns.match(item.pattern, node, request.qualified) for item in rule.match if item.pattern)
    captures = next((item for item in result if item is not None), None)
    if captures is None or not isinstance(node, ast.expr):
        raise NotFixable("the code does not have the form of the pattern")
    template = patterns.parsed(rule.fix_replace)
    own = _bound(template)
    _check_captures(request, template, captures, own)
    code, changes = _with_names(request, rule.fix_replace, template, own)
    code = patterns.filled(code, {name: request.operand(item) for name, item in captures.items()})
    applicability = Applicability(rule.fix_applicability or Applicability.UNSAFE)
    draft = Match(request).advised(node, code, *changes)
    return Rewrite(applicability, draft.message, rule.fix_why, draft.changes)


def _bound(template: ast.expr) -> set[str]:
    """The names that a template binds itself."""
    names = {part.id for part in walk(template) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return names | {part.arg for part in walk(template) if isinstance(part, ast.arg)}


def _check_captures(request: FixRequest, template: ast.expr, captures: dict[str, ast.expr], own: set[str]) -> None:
    """Raises NotFixable if captured code with side effects would be evaluated another number of times or in another
    order, or if it reads a name that the template binds."""
    in_order = patterns.names_in(request.rule.fix_replace) == [*captures]
    once = in_order and not any(isinstance(part, _REPEATING) for part in walk(template))
    for capture in captures.values():
        if not once and not is_pure(request, capture):
            raise NotFixable(
                f"`{request.text(capture)}` may do more than give a value, and would not run just once, in its turn"
            )
        if conflicts := variables_in(capture) & own:
            raise NotFixable(f"the name `{min(conflicts)}` means something else in the template")


def _with_names(request: FixRequest, text: str, template: ast.expr, own: set[str]) -> tuple[str, tuple[Change, ...]]:
    """The template with the names of this file, and the changes that add imports."""
    changes: list[Change] = []
    roots = [part for part in walk(template) if isinstance(part, ast.Name) and not patterns.captured(part)]
    for root in dict.fromkeys(part.id for part in roots if part.id not in own):
        if hasattr(builtins, root):
            request.builtin(root)
            continue
        name, imported = request.name_of(root)
        changes += imported
        if name != root:
            text = patterns.renamed(text, root, name)
    return text, tuple(changes)
