"""NumPy truth values that a constructor computes: plain ones are known while tracing."""

from __future__ import annotations

import ast

from breaklint.analysis.attributes import constructor, stores
from breaklint.analysis.queries import Doubt
from breaklint.fixes.base import NotFixable
from breaklint.fixes.protocol import Draft, Match, Steps, fix
from breaklint.fixes.rewrite import Replaced
from breaklint.interp.values import Array
from breaklint.project.scope import single_target
from breaklint.project.walking import walk

WHY = "the attribute is a bool instead of a NumPy one, and an array of several truth values raises in the constructor"


@fix("plain-flag")
def plain_flag(m: Match) -> Steps:
    """`if self.flag:` of `self.flag = np.any(rows)` -> `self.flag = bool(np.any(rows))` in the constructor."""
    request, test, cls = m.request, m.request.node, m.request.cls
    own = isinstance(test, ast.Attribute) and isinstance(test.value, ast.Name) and test.value.id == "self"
    if not own or not isinstance(test, ast.Attribute) or not isinstance(request.value(test), Array):
        raise NotFixable
    own_init = constructor(cls) if cls is not None else None
    if own_init is None or cls is None:
        raise NotFixable
    stored = [part for part in walk(cls.node) if stores(part, test.attr)]
    made = [each.value for each in walk(own_init) if isinstance(each, ast.Assign) and single_target(each) in stored]
    if len(stored) != 1 or len(made) != 1 or not isinstance(made[0], (ast.Compare, ast.Call)):
        raise NotFixable
    yield Doubt(WHY)
    text = f"{request.builtin('bool')}({request.code(made[0])})"
    return Draft("Make the attribute a plain bool", (Replaced(made[0], text),))
