"""The certain meaning of a name at a place: by every binding of its file, and of the enclosing functions.

The interpreter resolves names optimistically: an optional import counts, a placeholder for it does not. Here a name
means a library or a builtin only if no code that may run can rebind it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property, partial

from breaklint.analysis.file_scope import FileScope, functions_around
from breaklint.analysis.top_level import ANY_TIME, Binding, Certainty, TopLevel, hides, is_known_star_module, lasting
from breaklint.project.module import ImportedName, Module
from breaklint.project.own_names import declared, own_names
from breaklint.project.project import BUILTINS, Project
from breaklint.project.walking import dotted_name, statements, targets, walk


class Unsure(Exception):
    """Raised for a name that may mean several things."""


class Bindings(TopLevel):
    """All that binds names at the top level of a file."""

    def __init__(self, module: Module, project: Project) -> None:
        super().__init__(module)
        self.project = project
        self._own: dict[ast.AST, dict[str, list[ast.AST]]] = {}
        self.add_file()

    @cached_property
    def stores_in_imports(self) -> bool:
        """Whether the file replaces an attribute of an import. A literal counts as an option of a library."""
        for statement in statements(self.module.tree):
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
                continue
            for target in targets(statement):
                head = (dotted_name(target) or "").partition(".")[0] if isinstance(target, ast.Attribute) else ""
                if isinstance(self.module.names.get(head), ImportedName):
                    return True
        return False

    def own(self, function: ast.AST) -> dict[str, list[ast.AST]]:
        """The names that a function, lambda, class or comprehension binds locally, with their binders."""
        if function not in self._own:
            shared = declared(function) if self.module.rebound else set[str]()
            result: dict[str, list[ast.AST]] = {}
            for name, binder in own_names(function, inside=True):
                if name not in shared:
                    result.setdefault(name, []).append(binder)
            self._own[function] = result
        return self._own[function]

    def qualified(self, dotted: str, at: ast.AST, whole: FileScope) -> str:
        """The qualified name that a dotted name certainly has at a node of the file, or ""."""
        head, _, rest = dotted.partition(".")
        try:
            local = self._local(head, at, whole)
            if local is None:
                self._top_level(head, at)
        except Unsure:
            return ""
        if local is not None:
            result = self.project.lookup(f"{local}.{rest}" if rest else local)
        elif head in BUILTINS and head not in self.names and not rest:
            result = f"builtins.{head}"
        else:
            resolved = self.project.resolve(self.module, dotted)
            result = resolved if resolved is not None else ""
        return result if isinstance(result, str) else ""

    def _local(self, name: str, at: ast.AST, whole: FileScope) -> str | None:
        """The import of a name in the functions around a node; None if the top level decides. Raises Unsure if they
        bind it otherwise."""
        for function, part in functions_around(at, whole):
            binders = self.own(function).get(name)
            if binders is None:
                continue
            statement = whole.parent(binders[0])
            body = getattr(function, "body", None)
            if len(binders) > 1 or not isinstance(statement, (ast.Import, ast.ImportFrom)):
                raise Unsure
            if not isinstance(body, list) or statement not in body or body.index(statement) >= body.index(part):
                raise Unsure
            if isinstance(function, ast.ClassDef) or _is_nonlocal(function, name):
                raise Unsure
            top_level = TopLevel(self.module)
            top_level.add_import(statement, Certainty.ALWAYS)
            return top_level.names[name][0].qualified
        return None

    def lasting(self, name: str, row: int) -> list[Binding]:
        """The bindings of a name that may be in effect when code of a line runs."""
        return lasting(self.names.get(name, []), row)

    def _top_level(self, name: str, at: ast.AST) -> None:
        """Raises Unsure unless a name of the top level means one thing whenever a node of the file runs."""
        result = self.lasting(name, getattr(at, "lineno", 0))
        if self._is_brought(name):
            raise Unsure
        if len({binding.qualified for binding in result}) > 1:
            raise Unsure
        imported = bool(result) and bool(result[0].qualified)
        missing = name in self.module.names and not result  # for type checkers alone
        if missing or (imported and max(item.certainty for item in result) < Certainty.INSTALLED):
            raise Unsure

    def is_unsure(self, name: str, at: ast.AST, whole: FileScope) -> bool:
        """Whether a name that the file or a function imports, or a builtin, may mean something else at a node, or
        nothing."""
        known = name in self.module.names or name in BUILTINS
        if not known and not self._is_imported(name, at, whole):
            return False
        try:
            if self._local(name, at, whole) is None:
                self._top_level(name, at)
        except Unsure:
            return True
        return False

    def _is_imported(self, name: str, at: ast.AST, whole: FileScope) -> bool:
        """Whether a function around a node imports a name."""
        binders = (item for function, _ in functions_around(at, whole) for item in self.own(function).get(name, ()))
        return any(isinstance(binder, ast.alias) for binder in binders)

    def may_change(self, name: str, row: int) -> bool:
        """Whether a name of the file, or a builtin, may have another value than the interpreter infers when code of
        a line runs."""
        if name not in self.module.names and name not in BUILTINS:
            return False
        result = [item.qualified for item in self.lasting(name, row)]
        bound = result.count("")
        hidden = name in BUILTINS and self._is_brought(name)
        later = any(item.row == ANY_TIME for item in self.lasting(name, row))
        return hidden or later or bound > 1 or 0 < bound < len(result)

    def bound(self, at: ast.AST, whole: FileScope) -> Iterator[str]:
        """The names of the file that are bound at a node in every run, and that no function around it binds."""
        row = getattr((at, *whole.parents(at))[-2], "lineno", 0)  # of the statement of the file that holds the node
        hidden = set[str]().union(*(self.own(function) for function, _ in functions_around(at, whole)))
        for name in self.module.names:
            always = any(item.certainty is Certainty.ALWAYS and item.row < row for item in self.names.get(name, ()))
            if always and name not in hidden:
                yield name

    def hides(self, name: str, at: ast.AST, whole: FileScope) -> bool:
        """Whether a function around a node binds a name."""
        return any(name in self.own(function) for function, _ in functions_around(at, whole))

    def may_import(self, library: str, at: ast.AST, whole: FileScope) -> bool:
        """Whether `import library` at the top gives its name to nothing but that library, seen from a node too."""
        other = any(binding.qualified != library for binding in self.names.get(library, ()))
        return not (other or self._is_brought(library) or self.hides(library, at, whole))

    def _is_brought(self, name: str) -> bool:
        """Whether an `import *` may bring a name that means anything but the library of that name."""
        waiting, seen = [*self.stars], set[str]()
        while waiting:
            star = waiting.pop()
            if hides(star, name):
                return True
            if not is_known_star_module(star) and star not in seen:
                seen.add(star)
                module = self.project.module(star)
                if module is None:
                    continue
                top = module.derive(_Top, partial(_Top, module))
                if any(item.qualified != name for item in top.names.get(name, ())):
                    return True
                waiting += top.stars
        return False


class _Top(TopLevel):
    """The bindings at the top level of a file from which another file imports all names."""

    def __init__(self, module: Module) -> None:
        super().__init__(module)
        self.add_file()


def _is_nonlocal(function: ast.AST, name: str) -> bool:
    return any(isinstance(part, ast.Nonlocal) and name in part.names for part in walk(function))
