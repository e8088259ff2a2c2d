"""What a fix is given, and what it answers: edits with an applicability, or why there are none."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from copy import copy
from typing import NamedTuple, TypeVar

from breaklint.fixes import imports
from breaklint.fixes.proofs.bindings import Bindings
from breaklint.fixes.proofs.file_scope import FileScope
from breaklint.fixes.rewrite import Captures, Change, Deleted, Put, Replaced, Rewrite
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Event
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.values import Array, Const, Number, Shape, Size, Tensor, without_none
from breaklint.model import Applicability, Edit, Rule, Settings
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.spans import span_of, text_at
from breaklint.project.walking import dotted_name
from breaklint.torchops.facts import Facts

NO_TENSORS = Array | Const | Dict | Number | Sequence | Shape | Size | Tuple
SAFE, UNSAFE, DISPLAY = Applicability.SAFE, Applicability.UNSAFE, Applicability.DISPLAY


class Declined(NamedTuple):
    """No fix, and why: a clause that completes "not fixed: …"."""

    reason: str


Outcome = Rewrite | Declined


class Verdict(NamedTuple):
    """How far a rewrite can be trusted, why, and what it does in words."""

    applicability: Applicability
    why: str
    message: str

    def rewrite(self, *changes: Change) -> Rewrite:
        """The rewrite that makes these changes."""
        return Rewrite(self.applicability, self.message, self.why, changes)


class NotFixable(Exception):
    """Raised inside a fix to decline; `str(error)` is the reason."""


class FixRequest:
    """One finding to fix: the flagged node in its function, and what was inferred of the code around it."""

    def __init__(self, rule: Rule, node: ast.expr | ast.stmt, event: Event, settings: Settings) -> None:
        self.rule, self.node, self.event, self.settings = rule, node, event, settings
        self.trusts_asserts = False  # whether `assert a.shape == b.shape` counts as a proof: not where -O may drop it
        self.captures = Captures()
        self.inferred: set[ast.AST] = set()  # the nodes of which it was asked what is inferred
        self.new_imports: list[Edit] = []  # of a library without which the file could be imported so far
        self.module: Module = event.frame.module
        function = self._function = event.frame.function
        self._whole: FileScope | None = None
        root = function.node if function is not None else self.module.tree
        self.scope = self.module.scope(root)
        if node not in self.scope:
            self.scope = self.module.scope(self.module.tree)

    @property
    def facts(self) -> Facts:
        """What torch's operators take and give, in the target version."""
        return self.event.frame.interp.facts

    @property
    def cls(self) -> ClassInfo | None:
        """The class whose method the finding is in, None in a function."""
        function = self.event.frame.function
        return function.cls if function is not None else None

    @property
    def call(self) -> ast.Call:
        """The flagged call; raises NotFixable where a function is called without being named, as `map` does."""
        if not isinstance(self.node, ast.Call):
            raise NotFixable("it is called by other code, which names it nowhere")
        return self.node

    @property
    def function(self) -> FunctionInfo | None:
        """The function whose body is looked at, None where that is not known."""
        own = self._function
        return own if own is not None and own.node is self.scope.root else None

    def within(self, function: FunctionInfo) -> FixRequest:
        """The same finding, seen from inside another function of the project."""
        inner = copy(self)
        inner._whole, inner._function = None, function
        inner.module, inner.scope = function.module, function.module.scope(function.node)
        return inner

    def value(self, node: ast.AST) -> Value:
        """What was inferred of an expression, over all ways it is reached; None aside."""
        return without_none(self._known(node))

    def may_be_none(self, node: ast.AST) -> bool:
        """Whether an expression is None in some runs, as far as inference tells."""
        value = self._known(node)
        return without_none(value) is not value

    def _known(self, node: ast.AST) -> Value:
        self.inferred.add(node)
        return self.event.frame.interp.values.get(node, UNKNOWN)

    def tensor(self, node: ast.AST) -> Tensor | None:
        """The tensor that an expression surely is."""
        value = self.value(node)
        return value if isinstance(value, Tensor) and not value.assumed else None

    def text(self, node: ast.AST) -> str:
        """The source of a node as it is written, without parentheses around it."""
        return text_at(self.module, span_of(self.module, node))

    def code(self, part: ast.AST | str) -> str:
        """A name that stands for a node, or for a piece of code, in what is written.

        The writer puts it in place of the name, in parentheses where it would mean something else without.
        """
        return self.captures.name(part if isinstance(part, str) else (self.module, part))

    def operand(self, node: ast.expr) -> str:
        """As `code`, of what something is done to; raises NotFixable where several arguments are unpacked."""
        if isinstance(node, ast.Starred):
            raise NotFixable("it is unpacked into arguments")
        return self.code(node)

    def shown(self, code: str) -> str:
        """Code as a message shows it: on one line."""
        return " ".join(self.captures.render(code).split())

    def statement(self, node: ast.AST | None = None) -> ast.stmt:
        """The innermost statement around a node (the flagged one)."""
        found = self.scope.statement(node or self.node)
        if found is None:
            raise NotFixable("it stands in a lambda")
        return found

    @property
    def whole(self) -> FileScope:
        """The parents of the nodes of the file."""
        if self._whole is None:
            self._whole = FileScope(self.module, self.scope, self._function)
        return self._whole

    @property
    def bindings(self) -> Bindings:
        """What binds names in the file."""
        return self.module.derive(Bindings, lambda: Bindings(self.module, self.event.frame.interp.project))

    def qualified(self, node: ast.AST) -> str:
        """The qualified name of what an expression surely names (`torch.where`, `builtins.float`), "" for none."""
        dotted = dotted_name(node)
        return "" if dotted is None else self.bindings.qualified(dotted, node, self.whole)

    def name_of(self, library: str) -> tuple[str, tuple[Edit, ...]]:
        """What a library is called in this file, and the edit that imports it where the file does not yet."""
        at = self.node
        local = imports.local_name(self.scope, at, library)
        if local is not None and self.bindings.qualified(local, at, self.whole) == library:
            return local, ()
        for name in self.bindings.bound(at, self.whole):
            named = self.event.frame.interp.project.resolve(self.module, name)
            if named == library and self.bindings.qualified(name, at, self.whole) == library:
                return name, ()
        if not self.bindings.may_import(library, at, self.whole):
            raise NotFixable(f"the name `{library}` means something else here")
        if library in self.bindings.names and imports.is_read_before(self.scope, at, library):
            return library, ()
        if reason := imports.refusal(self.module, library):
            raise NotFixable(reason)
        edit = imports.import_edit(self.module, library)
        if edit is None:
            raise NotFixable(f"the file has no line for `import {library}`")
        if library == "torch" and not self.bindings.imports(library):
            self.new_imports.append(edit)
        return library, (edit,)

    def builtin(self, name: str) -> str:
        """The name of a builtin function, where nothing in the file hides it."""
        if self.bindings.qualified(name, self.node, self.whole) != f"builtins.{name}":
            raise NotFixable(f"the name `{name}` means something else here")
        return name

    def replace(self, node: ast.expr, code: str, verdict: Verdict, extra: Iterable[Change] = ()) -> Rewrite:
        """Put code in place of an expression."""
        if any(isinstance(around, ast.JoinedStr) for around in self.scope.parents(node)):
            raise NotFixable("it stands inside an f-string")
        return verdict.rewrite(*extra, Replaced(node, code))

    def rewrite(
        self, first: ast.stmt, last: ast.stmt, code: str, verdict: Verdict, extra: Iterable[Change] = ()
    ) -> Rewrite:
        """Put code in place of statements; comments among them move above it."""
        return verdict.rewrite(*extra, Put(first, last, code))

    def delete(self, statement: ast.stmt, verdict: Verdict) -> Rewrite:
        """Delete a statement with the comment behind it; `pass` when it is alone in its block."""
        return verdict.rewrite(Deleted(statement))


Fixer = Callable[[FixRequest], Outcome]  # makes the fix of one finding, or says why not, by NotFixable too
AnyFixer = TypeVar("AnyFixer", bound=Fixer)
CODEMODS: dict[str, Fixer] = {}


def codemod(fixer: AnyFixer) -> AnyFixer:
    """Make a function the codemod of the kind that it is named after: `torch_where` of `torch-where`."""
    CODEMODS[fixer.__name__.replace("_", "-")] = fixer
    return fixer


__all__ = ["DISPLAY", "SAFE", "UNSAFE", "Declined", "FixRequest", "NotFixable", "Outcome", "Rewrite", "Verdict"]
