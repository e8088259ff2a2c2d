"""Input and output of a codemod: the request, and edits with an applicability or the reason for none."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import NamedTuple

from breaklint.analysis.model import FunctionModel
from breaklint.fixes import imports
from breaklint.fixes.rewrite import Captures, Replaced, Rewrite
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Event
from breaklint.interp.values import Array, Const, Number, Shape, Size
from breaklint.model import Applicability, Edit, Rule, Settings, Span
from breaklint.project.spans import span_of, text_at
from breaklint.project.syntax import called_on

MOST_USES = 500  # of a name that a proof follows: each finding follows all of them
NO_TENSORS = Array | Const | Dict | Number | Sequence | Shape | Size | Tuple
SAFE, UNSAFE, DISPLAY = Applicability.SAFE, Applicability.UNSAFE, Applicability.DISPLAY


class Declined(NamedTuple):
    """No fix, and why: a clause that completes "not fixed: …"."""

    reason: str


Outcome = Rewrite | Declined


class NotFixable(Exception):
    """Raised in a codemod to decline; `str(error)` is the reason, or "" if the code has another form."""


class FixRequest(FunctionModel):
    """One finding to fix: the flagged node, with the model of the function around it."""

    def __init__(self, rule: Rule, node: ast.expr | ast.stmt, event: Event, settings: Settings) -> None:
        super().__init__(event.frame.interp, event.frame.module, event.frame.function)
        self.rule, self.node, self.event, self.settings = rule, node, event, settings
        self.captures = Captures()
        self.entry = event.frame.function if event.frame.depth == 0 else None
        if node not in self.scope:
            self.scope = self.module.scope(self.module.tree)

    @property
    def call(self) -> ast.Call:
        """The flagged call; raises NotFixable if the function is called indirectly, for example by `map`."""
        if not isinstance(self.node, ast.Call):
            raise NotFixable("it is called by other code, which names it nowhere")
        return self.node

    def not_a_tensor(self, node: ast.expr) -> NotFixable:
        """The error for a node without an inferred tensor: the unknown part, and the annotation to add."""
        unknown = node
        while (inner := called_on(unknown)) is not None and self.tensor(inner) is None:
            unknown = inner
        text = self.text(unknown)
        if not isinstance(unknown, (ast.Name, ast.Attribute)):
            return NotFixable(f"breaklint cannot infer that `{text}` is a tensor; annotate the variable or attribute")
        name = text.rpartition(".")[2]
        annotated = f"{name}: torch.Tensor" if name == text else f"{name}: torch.Tensor = {text}"
        return NotFixable(f"breaklint cannot infer that `{text}` is a tensor; annotate it: `{annotated}`")

    def limit_uses(self, name: str) -> None:
        """Raise NotFixable for a local name of so many uses that a function full of findings would take minutes."""
        if len(self.scope.stores(name)) + len(self.scope.loads(name)) > MOST_USES:
            raise NotFixable(f"`{name}` is used in more than {MOST_USES} places")

    def own_loads(self, name: str) -> list[ast.Name]:
        """The reads of a local name; raises NotFixable if a nested function reads it."""
        loads = self.scope.loads(name)
        if any(map(self.scope.is_inner, loads)):
            raise NotFixable(f"`{name}` is used by an inner function")
        return loads

    def code(self, part: ast.AST | str) -> str:
        """A placeholder for a node, or for a piece of code, in written code.

        The writer replaces the placeholder, with parentheses if they are necessary.
        """
        return self.captures.name(part if isinstance(part, str) else (self.module, part))

    def code_with(self, node: ast.AST, parts: Mapping[ast.expr, str]) -> str:
        """The source of a node, with other code in place of some of its parts."""
        whole, text = span_of(self.module, node), ""
        end = whole.start
        for span, code in sorted((span_of(self.module, part), code) for part, code in parts.items()):
            text += text_at(self.module, Span(end, span.start)) + self.code(code)
            end = span.end
        return text + text_at(self.module, Span(end, whole.end))

    def operand(self, node: ast.expr) -> str:
        """The code of an operand; raises NotFixable for an unpacked argument, which may be several values."""
        if isinstance(node, ast.Starred):
            raise NotFixable("it is unpacked into arguments")
        return self.code(node)

    def one_line(self, code: str) -> str:
        """Code as a message shows it: on one line."""
        return " ".join(self.captures.render(code).split())

    def statement(self, node: ast.AST | None = None) -> ast.stmt:
        """The innermost statement around a node (the flagged one)."""
        result = self.scope.statement(node or self.node)
        if result is None:
            raise NotFixable("it is in a lambda")
        return result

    def name_of(self, library: str) -> tuple[str, tuple[Edit, ...]]:
        """The name of a library in this file, and the edit that imports it if necessary."""
        at = self.node
        own = self.project.module(library)
        if own is not None and not own.installed:
            raise NotFixable(f"a file of the project is called `{library}`")
        for name in imports.names_above(self, at):
            if self.bindings.qualified(name, at, self.whole) == library:
                return name, ()
        if self.bindings.hides(library, at, self.whole):
            raise NotFixable(f"the name `{library}` means something else here")
        if library in self.module.names:
            certain = self.bindings.qualified(library, at, self.whole) == library
            raise NotFixable(f"the file binds the name `{library}` {'under a condition' if certain else 'otherwise'}")
        if reason := imports.refusal(self.module, library):
            raise NotFixable(reason)
        edit = imports.import_edit(self.module, library)
        if edit is None:
            raise NotFixable(f"the file has no line for `import {library}`")
        return library, (edit,)

    def is_elif(self, branch: ast.If) -> bool:
        """Whether an `if` is written as an `elif`."""
        return self.text(branch).startswith("elif")

    def is_single(self, branch: ast.If) -> bool:
        """Whether an `if` has no `elif` and no `else`."""
        return not (branch.orelse or self.is_elif(branch))

    def builtin(self, name: str) -> str:
        """The name of a builtin function, if nothing in the file shadows it."""
        if self.bindings.qualified(name, self.node, self.whole) != f"builtins.{name}":
            raise NotFixable(f"the name `{name}` means something else here")
        return name

    def exchange(self, node: ast.expr, code: str) -> Replaced:
        """Code that replaces an expression outside of f-strings."""
        if any(isinstance(parent, ast.JoinedStr) for parent in self.scope.parents(node)):
            raise NotFixable("it is inside an f-string")
        return Replaced(node, code)


class Codemod(NamedTuple):
    """A kind of fix: `make` returns the fix of a finding, or raises NotFixable.

    `safe` and `unsafe` are the texts about its safety: a kind without the first is never safe, one without the second
    always. `summary` describes the written code.
    """

    make: Callable[[FixRequest], Rewrite]
    safe: str = ""
    unsafe: str = ""
    summary: str = ""


CODEMODS: dict[str, Codemod] = {}


__all__ = ["DISPLAY", "SAFE", "UNSAFE", "Declined", "FixRequest", "NotFixable", "Outcome", "Rewrite"]
