"""Imports: what a library is called in a file, and where one that is missing can be written."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from breaklint.analysis.model import FunctionModel
from breaklint.fixes.lines import begins_line, first_row, last_row
from breaklint.model import Edit, Position, Span
from breaklint.project.module import Module
from breaklint.project.scope import Scope
from breaklint.project.spans import lines_of
from breaklint.project.walking import walk

LATER = (ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)
OWN_NAMES = re.compile(r"\b(?:globals|locals|vars|dir)\(\s*\)")
OWN_FILE = re.compile(r"\bsys\.modules\[__name__\]")
# What tells the names of the object that the file is.
LISTED = re.compile(r"\b(?:vars|dir|getmembers)\(|__dict__|\(\s*sys\.modules\[__name__\]")


def top_level(module: Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run whenever a file is imported."""
    return (statement for statement in module.tree.body if isinstance(statement, (ast.Import, ast.ImportFrom)))


def bound(module: Module) -> set[str]:
    """The names that the imports of a file bind when it runs: not those for type checking alone."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(module.tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.If) and _is_type_checking(node.test):
            waiting += node.orelse
        elif isinstance(node, (ast.If, ast.Try, ast.With, ast.ExceptHandler)):
            waiting += ast.iter_child_nodes(node)
    return found


def _is_type_checking(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else test.id if isinstance(test, ast.Name) else ""
    return name == "TYPE_CHECKING"


def local_name(model: FunctionModel, node: ast.AST, library: str) -> str | None:
    """What the function itself calls a library that it imports on every path to a node."""
    for statement in model.scope.imports:
        for alias in statement.names:
            name = alias.asname or alias.name
            if alias.name == library and model.definition(name, node).statement is statement:
                return name
    return None


def is_read_before(scope: Scope, node: ast.AST, library: str) -> bool:
    """Whether code that always runs before a statement around a node, or as its condition, reads the name `library`."""
    statement = scope.statement(node)
    while statement is not None:
        place = scope.block(statement)
        earlier: list[ast.AST] = [*place[0][: place[1]]] if place else []
        run: list[ast.AST] = [part for part in earlier if isinstance(part, (ast.Assign, ast.AugAssign, ast.Expr))]
        run += [statement.test] if isinstance(statement, ast.If) else []
        if any(_always_reads(part, library) for part in run):
            return True
        around = scope.parent(statement)
        statement = around if isinstance(around, ast.stmt) and around is not scope.root else None
    return False


def _always_reads(node: ast.AST, name: str) -> bool:
    """Whether a name is read whenever a node is run."""
    if isinstance(node, ast.Name):
        return node.id == name and isinstance(node.ctx, ast.Load)
    if isinstance(node, LATER):
        return False
    if isinstance(node, ast.IfExp):
        return _always_reads(node.test, name)
    if isinstance(node, ast.BoolOp):
        return _always_reads(node.values[0], name)
    if isinstance(node, ast.Compare):
        return _always_reads(node.left, name) or _always_reads(node.comparators[0], name)
    return any(_always_reads(child, name) for child in ast.iter_child_nodes(node))


def name_at_top(module: Module, library: str) -> str | None:
    """What a file calls a library that it always imports."""
    aliases = (alias for each in top_level(module) if isinstance(each, ast.Import) for alias in each.names)
    return next((alias.asname or alias.name for alias in aliases if alias.name == library), None)


def below_imports(module: Module) -> int | None:
    """The row below the last import before the first class or function, None where there is no import."""
    last, row = None, 0
    for statement in module.tree.body:
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            break
        if isinstance(statement, (ast.Import, ast.ImportFrom)) or (last == row and statement.lineno <= row):
            last = last_row(statement)
        row = last_row(statement)
    return None if last is None else last + 1


def sees_own_names(module: Module) -> bool:
    """Whether a file looks at its own names, of which a new one would be one."""
    text = module.text
    return bool(OWN_NAMES.search(text) or (OWN_FILE.search(text) and LISTED.search(text)))


def refusal(module: Module, library: str) -> str:
    """Why a file should not get `import library`: it takes care not to import it always, or looks at its own names. ""
    where nothing says so."""
    if sees_own_names(module):
        return f"the file looks at its own names, which `import {library}` would be one of"
    if library.partition(".")[0] in sys.stdlib_module_names:
        return ""
    if any(_imports(node, library) for node in top_level(module)):
        return ""
    every = (node for node in walk(module.tree) if isinstance(node, (ast.Import, ast.ImportFrom)))
    conditional = any(_imports(node, library) for node in every)
    return f"the file imports `{library}` only under a condition" if conditional else ""


def _imports(node: ast.Import | ast.ImportFrom, library: str) -> bool:
    """Whether a statement imports a library, or a part of it."""
    if isinstance(node, ast.ImportFrom):
        return not node.level and (node.module or "").partition(".")[0] == library
    return any(alias.name.partition(".")[0] == library for alias in node.names)


def import_edit(module: Module, library: str) -> Edit | None:
    """The edit that adds `import library` above the first statement of a file that is neither docstring nor import from
    `__future__`, nor shares a line with one. None where no line is left for it.
    """
    row = 1
    for index, statement in enumerate(module.tree.body):
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        docstring = index == 0 and _is_text(statement)
        if not (future or docstring) and begins_line(module, statement):
            row = first_row(statement)
            break
        row = last_row(statement) + 1
    if row > len(lines_of(module)):
        return None
    place = Position(row, 1)
    return Edit(Span(place, place), f"import {library}\n")


def _is_text(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
