"""The bindings of the statements at the top level of a file, and whether these have certainly run."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from breaklint.project.module import Module
from breaklint.project.own_names import otherwise_bound, plainly_bound
from breaklint.project.walking import dotted_name, walk_rows

ANY_TIME = sys.maxsize
# Libraries of which it is known which builtins `import *` hides.
STARS = {"typing": "", "math": "pow", "torch": "abs all any bool complex float int max min pow range round sum"}
HARMLESS = "torch."  # all that its modules export and that a builtin or library is called is that


class Certainty(IntEnum):
    """Whether a statement at the top of a file has run: in some runs, in all runs except those with a placeholder
    for a missing library, or always."""

    SOMETIMES, INSTALLED, ALWAYS = range(3)


class Binding(NamedTuple):
    """One binding of a name in the file: the qualified name of an import, "" for anything else.

    `row` is its line at the top level, ANY_TIME if a function binds it.
    """

    qualified: str
    certainty: Certainty
    row: int


class TopLevel:
    """The bindings of the names of a file at its top level; `stars` are the modules of star imports."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.names: dict[str, list[Binding]] = {}
        self.stars: list[str] = []

    def add_file(self) -> None:
        """Note all that the file binds."""
        self.add_block(self.module.tree.body, Certainty.ALWAYS)
        nodes = walk_rows(self.module.tree, self.module.rows_with("global"))
        declared = (name for node in nodes if isinstance(node, ast.Global) for name in node.names)
        for name in declared:
            self.note(name, Binding("", Certainty.SOMETIMES, ANY_TIME))

    def add_block(self, body: list[ast.stmt], certainty: Certainty) -> None:
        """Record the bindings of statements at the top level."""
        for statement in body:
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                self.add_import(statement, certainty)
            elif isinstance(statement, ast.If):
                self._if(statement, certainty)
            elif isinstance(statement, ast.Try):
                self._try(statement, certainty)
            elif isinstance(statement, (ast.With, ast.AsyncWith)):
                for item in statement.items:
                    self._other(item)
                remaining = certainty if _raises_on(statement) else min(certainty, Certainty.INSTALLED)
                self.add_block(statement.body, remaining)
            else:
                self._other(statement, certainty)

    def _if(self, statement: ast.If, certainty: Certainty) -> None:
        """Statements under a condition bind in some runs; statements for type checkers only, in none."""
        self._other(statement.test)
        checked = (dotted_name(statement.test) or "").rpartition(".")[2] == "TYPE_CHECKING"
        if not checked:
            self.add_block(statement.body, Certainty.SOMETIMES)
        self.add_block(statement.orelse, certainty if checked else Certainty.SOMETIMES)

    def _try(self, statement: ast.Try, certainty: Certainty) -> None:
        """Statements in a `try` bind unless a handler continues without them."""
        goes_on = any(not isinstance(handler.body[-1], ast.Raise) for handler in statement.handlers)
        inside = min(certainty, Certainty.INSTALLED) if goes_on else certainty
        self.add_block([*statement.body, *statement.orelse], inside)
        for handler in statement.handlers:
            if handler.name:
                self.note(handler.name, Binding("", Certainty.SOMETIMES, handler.lineno))
            other = [item for item in handler.body if not _is_placeholder(item, statement.body)]
            self.add_block(other, Certainty.SOMETIMES)
        self.add_block(statement.finalbody, certainty)

    def add_import(self, statement: ast.Import | ast.ImportFrom, certainty: Certainty) -> None:
        """Record the bindings of an import at the top level."""
        source = ""
        if isinstance(statement, ast.ImportFrom):
            source = self.module.absolute(statement.module, statement.level)
        for alias in statement.names:
            whole = alias.name if alias.asname or source else alias.name.partition(".")[0]
            if alias.name == "*":
                self.stars.append(source)
            else:
                qualified = f"{source}.{whole}" if source else whole
                self.note(alias.asname or whole, Binding(qualified, certainty, statement.lineno))

    def _other(self, node: ast.AST, certainty: Certainty = Certainty.SOMETIMES) -> None:
        """Note the names that a part of the top level binds outside of the functions in it."""
        for name in plainly_bound(node):
            self.note(name, Binding("", certainty, getattr(node, "lineno", 0)))
        for name, binder in otherwise_bound(node, self.module.has_walrus(node)):
            imported = isinstance(binder, ast.alias)  # in a loop or under a match, where it may not have run
            self.note(name, Binding("?" if imported else "", Certainty.SOMETIMES, getattr(binder, "lineno", 0)))

    def note(self, name: str, binding: Binding) -> None:
        """Note one more way in which a name gets a value."""
        self.names.setdefault(name, []).append(binding)


def is_known_star_module(star: str) -> bool:
    """Whether the names of all star imports are known."""
    return star in STARS or star.startswith(HARMLESS)


def hides(star: str, name: str) -> bool:
    """Whether a library of which they are known has a name that hides one of Python's or of another library."""
    return name in STARS.get(star, "").split()


def lasting(found: Sequence[Binding], row: int) -> list[Binding]:
    """The bindings of a name that may be in effect when code of a line runs: a later certain binding replaces earlier
    ones.

    Code below a statement of the top level, also in a function, runs after it.
    """
    last = max((item.row for item in found if item.certainty is Certainty.ALWAYS and item.row < row), default=0)
    return [item for item in found if item.row >= last]


def _raises_on(statement: ast.With | ast.AsyncWith) -> bool:
    """Whether the context manager of a `with` propagates exceptions, so that its whole block has run after it."""
    calls = (item.context_expr for item in statement.items)
    return all(isinstance(call, ast.Call) and dotted_name(call.func) == "warnings.catch_warnings" for call in calls)


def _is_placeholder(statement: ast.stmt, tried: list[ast.stmt]) -> bool:
    """`np = None`, the placeholder for a missing library with this import name."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Constant):
        return False
    imports = (item for item in tried if isinstance(item, (ast.Import, ast.ImportFrom)))
    names = {alias.asname or alias.name.partition(".")[0] for item in imports for alias in item.names}
    return all(isinstance(target, ast.Name) and target.id in names for target in statement.targets)
