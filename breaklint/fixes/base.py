"""What a fix is given, and what it answers: edits with an applicability, or why there are none."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from copy import copy
from typing import NamedTuple, TypeVar

from breaklint.fixes import layout
from breaklint.fixes.proofs.scope import Scope
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Event
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.values import Array, Const, Number, Shape, Size, Tensor, without_none
from breaklint.model import Applicability, Edit, Fix, Position, Rule, Settings, Span
from breaklint.project.module import ClassInfo, FunctionInfo, ImportedName, Module
from breaklint.project.project import BUILTINS
from breaklint.project.spans import lines_of, span_of, text_at
from breaklint.project.walking import dotted_name
from breaklint.torchops.facts import Facts

NO_TENSORS = Array | Const | Dict | Number | Sequence | Shape | Size | Tuple
SAFE, UNSAFE, DISPLAY = Applicability.SAFE, Applicability.UNSAFE, Applicability.DISPLAY


class Declined(NamedTuple):
    """No fix, and why: a clause that completes "not fixed: …"."""

    reason: str


Outcome = Fix | Declined


class Verdict(NamedTuple):
    """How far a rewrite can be trusted, why, and what it does in words."""

    applicability: Applicability
    why: str
    message: str


class NotFixable(Exception):
    """Raised inside a fix to decline; `str(error)` is the reason."""


class FixRequest:
    """One finding to mend: the flagged node in its function, and what was inferred of the code around it."""

    def __init__(self, rule: Rule, node: ast.expr | ast.stmt, event: Event, settings: Settings) -> None:
        self.rule, self.node, self.event, self.settings = rule, node, event, settings
        self.trusts_asserts = False  # whether `assert a.shape == b.shape` counts as a proof: not where -O may drop it
        self.module: Module = event.frame.module
        function = event.frame.function
        root = function.node if function is not None else self.module.tree
        self.scope = _scope(self.module, root)
        if node not in self.scope:
            self.scope = _scope(self.module, self.module.tree)

    @property
    def facts(self) -> Facts:
        """What torch's operators take and give, in the target version."""
        return self.event.frame.interp.facts

    @property
    def cls(self) -> ClassInfo | None:
        """The class whose method the finding is in, None in a function."""
        function = self.event.frame.function
        return function.cls if function is not None else None

    def within(self, function: FunctionInfo) -> FixRequest:
        """The same finding, seen from inside another function of the project."""
        inner = copy(self)
        inner.module, inner.scope = function.module, _scope(function.module, function.node)
        return inner

    def value(self, node: ast.AST) -> Value:
        """What was inferred of an expression, over all ways it is reached; None aside."""
        return without_none(self.event.frame.interp.values.get(node, UNKNOWN))

    def tensor(self, node: ast.AST) -> Tensor | None:
        """The tensor that an expression surely is."""
        value = self.value(node)
        return value if isinstance(value, Tensor) and not value.assumed else None

    def text(self, node: ast.AST) -> str:
        """The source of a node as it is written, without parentheses around it."""
        return text_at(self.module, span_of(self.module, node))

    def operand(self, node: ast.expr) -> str:
        """The source of a node, in parentheses unless it binds as tightly as a name."""
        if isinstance(node, ast.Starred):
            raise NotFixable("it is unpacked into arguments")
        text = self.text(node)
        tight = isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict))
        return text if tight else f"({text})"

    def statement(self, node: ast.AST | None = None) -> ast.stmt:
        """The innermost statement around a node (the flagged one)."""
        found = self.scope.statement(node or self.node)
        if found is None:
            raise NotFixable("it stands in a lambda")
        return found

    def qualified(self, node: ast.AST) -> str:
        """The qualified name of what a dotted expression names (`torch.where`, `builtins.float`), "" when unknown."""
        dotted = dotted_name(node)
        if dotted is None or self.scope.binds(dotted.partition(".")[0]):
            return ""
        resolved = self.event.frame.interp.project.resolve(self.module, dotted)
        if resolved is None and dotted in BUILTINS:
            return f"builtins.{dotted}"
        return resolved if isinstance(resolved, str) else ""

    def name_of(self, library: str) -> tuple[str, tuple[Edit, ...]]:
        """What a library is called in this file, and the edit that imports it where the file does not yet."""
        for name, bound in self.module.names.items():
            if isinstance(bound, ImportedName) and bound.qualified == library and not self.scope.binds(name):
                return name, ()
        if library in self.module.names or self.scope.binds(library):
            raise NotFixable(f"the name `{library}` means something else here")
        edit = layout.import_edit(self.module, library)
        if edit is None:
            raise NotFixable(f"the file has no line for `import {library}`")
        return library, (edit,)

    def builtin(self, name: str) -> str:
        """The name of a builtin function, where nothing in the file hides it."""
        if name in self.module.names or self.scope.binds(name):
            raise NotFixable(f"the name `{name}` means something else here")
        return name

    def replace(self, node: ast.expr, content: str, verdict: Verdict, extra: Iterable[Edit] = ()) -> Fix:
        """Put `content` in place of an expression, in parentheses where what is around it needs them."""
        if any(isinstance(around, ast.JoinedStr) for around in self.scope.parents(node)):
            raise NotFixable("it stands inside an f-string")
        span = span_of(self.module, node)
        if layout.comments(text_at(self.module, span)) - layout.comments(content):
            raise NotFixable("a comment inside the expression would be lost")
        fitting = layout.fitted(self.module, self._smallest(node), span, content)
        return Fix(verdict.applicability, verdict.message, verdict.why, (*extra, Edit(span, fitting)))

    def _smallest(self, node: ast.expr) -> ast.AST:
        """The smallest part of the function around an expression that can be parsed by itself."""
        statement = self.scope.statement(node)
        if statement is None or hasattr(statement, "body"):
            return self.scope.root
        alone = layout.stands_alone(self.module, span_of(self.module, statement))
        return statement if alone else self.scope.root

    def rewrite(
        self, first: ast.stmt, last: ast.stmt, content: str, verdict: Verdict, extra: Iterable[Edit] = ()
    ) -> Fix:
        """Put `content` (its first line unindented) in place of statements; comments among them move above it."""
        start, end = span_of(self.module, first).start, span_of(self.module, last).end
        if not layout.stands_alone(self.module, Span(start, end)):
            raise NotFixable("it shares its line with other code")
        indent = layout.indent_of(self.module, first)
        kept = layout.lost_comments(text_at(self.module, Span(start, end)), content)
        lines = "".join(f"{comment}\n{indent}" for comment in kept)
        edit = Edit(Span(start, end), lines + content)
        return Fix(verdict.applicability, verdict.message, verdict.why, (*extra, edit))

    def delete(self, statement: ast.stmt, verdict: Verdict) -> Fix:
        """Delete a statement with its lines and the comment behind it; `pass` when it is alone in its block."""
        place, span = self.scope.block(statement), span_of(self.module, statement)
        if place is None or len(place[0]) == 1:
            return Fix(verdict.applicability, verdict.message, verdict.why, (Edit(span, "pass"),))
        if not layout.stands_alone(self.module, span):
            raise NotFixable("it shares its line with other code")
        last = span.end.row == len(lines_of(self.module))
        whole = Span(Position(span.start.row, 1), span.end if last else Position(span.end.row + 1, 1))
        return Fix(verdict.applicability, verdict.message, verdict.why, (Edit(whole, ""),))


Fixer = Callable[[FixRequest], Outcome]  # makes the fix of one finding, or says why not, by NotFixable too
AnyFixer = TypeVar("AnyFixer", bound=Fixer)
CODEMODS: dict[str, Fixer] = {}


def codemod(fixer: AnyFixer) -> AnyFixer:
    """Make a function the codemod of the kind that it is named after: `torch_where` of `torch-where`."""
    CODEMODS[fixer.__name__.replace("_", "-")] = fixer
    return fixer


def _scope(module: Module, root: ast.AST) -> Scope:
    known = module.scopes.get(root)
    if known is None:
        known = module.scopes[root] = Scope(root)
    assert isinstance(known, Scope)
    return known


__all__ = ["DISPLAY", "SAFE", "UNSAFE", "Declined", "FixRequest", "NotFixable", "Outcome", "Position", "Verdict"]
