"""What check would find at rows where only Dynamo saw a break, were all values there tensors of which it knows nothing.

The function is taken for an entry. What is found so has the fix of its rule, which is unsafe: nothing shows that these
values are tensors for other inputs.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Mapping, Set
from typing import Any, Final

from breaklint.errors import BreaklintError
from breaklint.interp.frame import Frame, Sink
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.lattice import Unknown, Value
from breaklint.interp.parameter_inference import is_tensor_attribute
from breaklint.interp.values import Tensor
from breaklint.lint.engine import Engine
from breaklint.lint.file_guard import guard_file
from breaklint.lint.time_limit import seconds_per_file
from breaklint.model import Applicability, Finding, Settings
from breaklint.torchops.facts import Facts

UNSURE: Final = "check cannot infer that this is compiled and works on tensors; the run shows this for its inputs only"
_OPEN: Final = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)  # expressions of which nothing may be known
_Visit = Callable[[Frame, Any], Value]


def supposed(path: str, text: str, rows: Mapping[int, str], settings: Settings, edits: bool) -> list[Finding]:
    """The findings on some rows of a file, each with the name of its function; `edits` are made of their fixes."""
    names = tuple(dict.fromkeys((*settings.entry_points, *rows.values())))
    own = settings._replace(entry_points=names, python_rules=(), target_torch=settings.target_torch.rpartition(",")[2])
    engine = _Supposing(own, path, rows.keys(), edits)
    try:
        with guard_file(path, seconds_per_file()):
            result = engine.check(path, text).findings
    except BreaklintError:  # check itself has said so
        return []
    return [_unsure(item) for item in result if item.filename == path and item.span.start.row in rows]


def _unsure(finding: Finding) -> Finding:
    fix = finding.fix
    if fix is None or fix.applicability is Applicability.DISPLAY:
        return finding
    why = [UNSURE, *([fix.why] if fix.applicability is Applicability.UNSAFE and fix.why else [])]
    return finding._replace(fix=fix._replace(applicability=Applicability.UNSAFE, why="; ".join(why)))


class _Supposing(Engine):
    """An engine for which what is read on some rows of a file is a tensor where nothing is known of it."""

    def __init__(self, settings: Settings, path: str, rows: Set[int], edits: bool) -> None:
        super().__init__(settings, writes=edits, reported={os.path.abspath(path)})
        self._path, self._rows = path, rows

    def interpreter(self, facts: Facts, sink: Sink) -> Interpreter:
        """One with other transfer functions of expressions that may be tensors."""
        interp = super().interpreter(facts, sink)
        module = self.project.checked
        read = _read_on(module.tree, self._rows) if module is not None else frozenset[ast.expr]()
        visitors: dict[type[ast.expr], _Visit] = {**interp.visitors}
        visitors.update((kind, _supposing(visitors[kind], read)) for kind in _OPEN)
        interp.visitors = visitors
        return interp


def _supposing(visit: _Visit, read: Set[ast.expr]) -> _Visit:
    def value_of(frame: Frame, node: ast.expr) -> Value:
        value = visit(frame, node)
        if node not in read:
            return value
        if isinstance(value, Tensor) and value.assumed:
            return Tensor(value.dtype, value.ndim, role=value.role)
        return Tensor(role="input") if isinstance(value, Unknown) else value

    return value_of


def _read_on(tree: ast.Module, rows: Set[int]) -> frozenset[ast.expr]:
    """What is read on some rows and may be a tensor: not what is called, nor has an attribute that no tensor has."""
    result, other = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, _OPEN) and node.lineno in rows:
            result.add(node)
        if isinstance(node, ast.Call):
            other.add(node.func)
        if isinstance(node, ast.Attribute) and not is_tensor_attribute(node.attr):
            other.add(node.value)
    return frozenset(result - other)
