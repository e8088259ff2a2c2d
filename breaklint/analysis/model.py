"""One function: its code, its bindings, and the inferred values of its expressions."""

from __future__ import annotations

import ast
from typing import Protocol

from breaklint.analysis import patterns
from breaklint.analysis.bindings import Bindings
from breaklint.analysis.file_scope import FileScope
from breaklint.analysis.literals import same_code
from breaklint.analysis.use_def import Definition, UseDef
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.values import Tensor, without_none
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.own_names import FUNCTIONS
from breaklint.project.project import Project
from breaklint.project.spans import span_of, text_at
from breaklint.project.walking import dotted_name, walk
from breaklint.torchops.facts import Facts

# Builtins that read an iterator to its end.
EXHAUSTING = frozenset(f"builtins.{name}" for name in "all any dict list max min set sorted sum tuple".split())
Captured = dict[str, ast.expr]


class Inference(Protocol):
    """The results of tracing: the interface of the interpreter for the analysis of functions."""

    project: Project
    facts: Facts
    values: dict[ast.AST, Value]


class FunctionModel:
    """One function, or the top level of a file.

    Expensive parts are cached with the file, so that all findings of a function share them.
    """

    def __init__(self, inference: Inference, module: Module, function: FunctionInfo | None) -> None:
        self.inference, self.module = inference, module
        self._function = function
        self._whole: FileScope | None = None
        self.scope = module.scope(function.node if function is not None else module.tree)

    @property
    def facts(self) -> Facts:
        """The facts about torch's operators in the target version."""
        return self.inference.facts

    @property
    def project(self) -> Project:
        """The files that imports reach."""
        return self.inference.project

    @property
    def cls(self) -> ClassInfo | None:
        """The class whose method this is, None of a function."""
        return self._function.cls if self._function is not None else None

    def managed(self, node: ast.AST) -> list[ast.AST]:
        """The enclosing nodes that may switch gradients: `with` blocks, and functions, which may be decorated."""
        enclosing = (ast.With, ast.AsyncWith, *FUNCTIONS)
        return [parent for parent in self.scope.parents(node) if isinstance(parent, enclosing)]

    def value(self, node: ast.AST) -> Value:
        """The inferred value of an expression over all paths, without None."""
        return without_none(self.inference.values.get(node, UNKNOWN))

    def may_be_none(self, node: ast.AST) -> bool:
        """Whether an expression may be None by inference."""
        value = self.inference.values.get(node, UNKNOWN)
        return without_none(value) is not value

    def tensor(self, node: ast.AST) -> Tensor | None:
        """The tensor that an expression surely is."""
        value = self.value(node)
        return value if isinstance(value, Tensor) and not value.assumed else None

    def text(self, node: ast.AST) -> str:
        """The source of a node as it is written, without parentheses around it."""
        return text_at(self.module, span_of(self.module, node))

    @property
    def whole(self) -> FileScope:
        """The parents of the nodes of the file."""
        if self._whole is None:
            self._whole = FileScope(self.module, self.scope, self._function)
        return self._whole

    @property
    def bindings(self) -> Bindings:
        """The bindings of the file."""
        return self.module.derive(Bindings, lambda: Bindings(self.module, self.project))

    def qualified(self, node: ast.AST) -> str:
        """The qualified name that an expression certainly has (`torch.where`, `builtins.float`), or ""."""
        dotted = dotted_name(node)
        return "" if dotted is None else self.bindings.qualified(dotted, node, self.whole)

    @property
    def values(self) -> UseDef:
        """The reaching definitions of its names, and the order in which its code runs."""
        cache, root = self.module.derive(_Values, _Values), self.scope.root
        if root not in cache:
            cache[root] = UseDef(self.scope, lambda call: self.qualified(call.func) in EXHAUSTING)
        return cache[root]

    def definition(self, name: str, at: ast.AST) -> Definition:
        """The reaching definition of a name after the evaluation of a node, or at the start of a statement."""
        return self.values.definition(name, at)

    def is_same(self, first: ast.AST, second: ast.AST) -> bool:
        """Whether two expressions are written alike, and their names have the same values."""
        parts = walk(first), walk(second)
        if len(parts[0]) != len(parts[1]) or not same_code(first, second):
            return False
        names = ((a, b) for a, b in zip(*parts, strict=True) if isinstance(a, ast.Name))
        return all(self.definition(a.id, a).version == self.definition(a.id, b).version for a, b in names)

    def matched(self, node: ast.AST | None, *texts: str) -> Captured | None:
        """The captures of the first pattern that matches a node, or None.

        Names are compared as they resolve: `len({x})` matches a call of Python's own len.
        """
        result = (patterns.match(text, node, self.qualified) for text in texts if node is not None)
        return next((item for item in result if item is not None), None)


class _Values(dict[ast.AST, UseDef]):
    """The reaching definitions in the functions of a file, by their nodes."""
