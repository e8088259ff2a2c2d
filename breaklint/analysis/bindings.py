"""The meaning of a name at a place of a file: by the functions around it, and by the bindings of the file.

`Project.resolve` has the last binding at the top level of a file. Here a name has no meaning if a function around it
binds it by anything but an import, or if the file binds it to different things.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterator
from functools import cached_property

from breaklint.analysis.file_scope import FileScope, functions_around
from breaklint.project.binding import bind_import, binding_statements
from breaklint.project.module import ImportedName, Module
from breaklint.project.own_names import declared, own_names
from breaklint.project.project import BUILTINS, Project
from breaklint.project.walking import dotted_name, statements, targets

_CONDITIONAL = (ast.If, ast.Try, ast.For, ast.While, ast.Match)
# The begin of a statement that may change attributes: `del a.b`, `a.b = c = 1`, `a.b, c = 1, 2`, `a.b: int = 1`.
_STORE = re.compile(
    r"[\n;][ \t(]*(?:del[ \t(]+[\w., \t]+"
    r"|(?:[\w.]+[ \t]*[,=][ \t]*)*\w+\.[\w., \t)]*(?::[^=\n]*)?[-+*/%@&|^<>]*=(?!=))"
)
_ATTRIBUTE = re.compile(r"(\w+)\.")


class Bindings:
    """The names of one file and of its functions."""

    def __init__(self, module: Module, project: Project) -> None:
        self.module, self.project = module, project
        self._own: dict[ast.AST, dict[str, list[ast.AST]]] = {}

    @cached_property
    def stores_in_imports(self) -> bool:
        """Whether the file replaces an attribute of an import. A literal counts as an option of a library."""
        if not any(isinstance(self.module.names.get(head), ImportedName) for head in _stored_heads(self.module.text)):
            return False  # the definitions that were cut out of the file are not parsed for this
        for statement in statements(self.module.tree):
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
                continue
            for target in targets(statement):
                head = (dotted_name(target) or "").partition(".")[0] if isinstance(target, ast.Attribute) else ""
                if isinstance(self.module.names.get(head), ImportedName):
                    return True
        return False

    @cached_property
    def _ambiguous(self) -> frozenset[str]:
        """The names that the file binds to different things under conditions or by `global`."""
        result: set[str] = set()
        meanings: dict[str, Hashable] = {}
        for statement in self.module.skeleton.body:
            place = self.module.places.get(statement.lineno) if isinstance(statement, ast.Pass) else None
            if place is not None:
                result.discard(place.piece.name)
                meanings[place.piece.name] = place
                continue
            test = dotted_name(getattr(statement, "test", None)) or ""
            conditional = isinstance(statement, _CONDITIONAL) and not test.endswith("TYPE_CHECKING")
            for name, meaning in _bound(self.module, statement):
                if not conditional:
                    result.discard(name)
                elif meanings.get(name, meaning) != meaning:
                    result.add(name)
                meanings[name] = meaning
        return frozenset(result | (self.module.rebound & (self.module.names.keys() | BUILTINS)))

    def qualified(self, dotted: str, at: ast.AST, whole: FileScope) -> str:
        """The qualified name of a dotted name at a node of the file, or ""."""
        head, _, rest = dotted.partition(".")
        local = self._local(head, at, whole)
        if local == "" or (local is None and head in self._ambiguous):
            return ""
        if local is not None:
            result = self.project.lookup(f"{local}.{rest}" if rest else local)
        else:
            resolved = self.project.resolve(self.module, dotted)
            own = f"builtins.{head}" if head in BUILTINS and not rest else ""
            result = resolved if resolved is not None else own
        return result if isinstance(result, str) else ""

    def _local(self, name: str, at: ast.AST, whole: FileScope) -> str | None:
        """The import of a name in the functions around a node, "" if they bind it otherwise; None if they do not."""
        for function, part in functions_around(at, whole):
            binders = self._names_of(function).get(name)
            if binders is None:
                continue
            statement = whole.parent(binders[0])
            body = getattr(function, "body", None)
            if len(binders) > 1 or not isinstance(statement, (ast.Import, ast.ImportFrom)):
                return ""
            if not isinstance(body, list) or statement not in body or body.index(statement) >= body.index(part):
                return ""
            return _imported(self.module, statement)[name].qualified
        return None

    def _names_of(self, function: ast.AST) -> dict[str, list[ast.AST]]:
        """The names that a function, lambda, class or comprehension binds locally, with their binders."""
        if function not in self._own:
            shared = declared(function) if self.module.rebound else set[str]()
            result: dict[str, list[ast.AST]] = {}
            for name, binder in own_names(function, inside=True):
                if name not in shared:
                    result.setdefault(name, []).append(binder)
            self._own[function] = result
        return self._own[function]

    def is_ambiguous(self, name: str, at: ast.AST, whole: FileScope) -> bool:
        """Whether a name of the file may mean different things at a node."""
        return name in self._ambiguous and not self.hides(name, at, whole)

    def hides(self, name: str, at: ast.AST, whole: FileScope) -> bool:
        """Whether a function around a node binds a name."""
        return any(name in self._names_of(function) for function, _ in functions_around(at, whole))


def _stored_heads(text: str) -> Iterator[str]:
    """The first names of the attributes that statements may change, and other names."""
    return (head for store in _STORE.findall(f"\n{text}") for head in _ATTRIBUTE.findall(store))


def _bound(module: Module, statement: ast.stmt) -> Iterator[tuple[str, Hashable]]:
    """The names that a statement of the file binds, each with the import or the statement that gives it its value."""
    for item in binding_statements([statement]):
        if isinstance(item, (ast.Import, ast.ImportFrom)):
            yield from ((name, value.qualified) for name, value in _imported(module, item).items())
        elif not isinstance(item, (ast.If, ast.Try, ast.With)):
            yield from ((name, item) for name, _ in own_names(item))


def _imported(module: Module, statement: ast.Import | ast.ImportFrom) -> dict[str, ImportedName]:
    """The names that an import binds."""
    result: dict[str, ImportedName] = {}
    bind_import(module, statement, result)
    return result
