"""What the names of a file stand for, by its imports alone: those in functions, too."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from breaklint.analysis.namespaces import LOADING, MAX_NAMES
from breaklint.project.module import ClassInfo, FunctionInfo, ImportedName, Module
from breaklint.project.walking import dotted_name, walk, walk_rows

# No schema tells in which libraries a replaced name counts for every file, whatever imports connect.
LIBRARIES = frozenset("builtins copy math numpy torch".split())
_WORD = re.compile(r"\w+")


class FileImports:
    """The imports of a file, which are among the statements `inside` it: `names` are the qualified names by those that
    they bind, `words` those of all imports; `from_package` tells that it imports from its own package as a whole."""

    def __init__(self, module: Module, inside: Sequence[ast.AST]) -> None:
        self.module = module
        self.names: dict[str, str] = {}
        self.from_package = False
        words = set[str]()
        self._statements = inside
        for node in inside:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self._add(node, words)
        for name, bound in module.names.items():
            if isinstance(bound, ImportedName):
                self.names[name] = bound.qualified
        words.update(_loaded(module))
        self.words = frozenset(words)

    def _add(self, node: ast.Import | ast.ImportFrom, words: set[str]) -> None:
        source = ""
        if isinstance(node, ast.ImportFrom):
            source = self.module.absolute(node.module, node.level)
            self.from_package |= not node.module
            words.update((node.module or "").split("."))
        for alias in node.names:
            words.update(alias.name.split("."))
            whole = alias.name if alias.asname or source else alias.name.partition(".")[0]
            if alias.name != "*":
                self.names.setdefault(alias.asname or whole, f"{source}.{whole}" if source else whole)

    def qualified(self, dotted: str) -> str:
        """The qualified name of what may be a module, class or function: with a dot before those of the file itself;
        "" for all else."""
        for _ in range(MAX_NAMES):
            head, _, rest = dotted.partition(".")
            bound = self.module.names.get(head)
            if head in self.names and not isinstance(bound, (ClassInfo, FunctionInfo)):
                return f"{self.names[head]}.{rest}".rstrip(".")
            if isinstance(bound, (ClassInfo, FunctionInfo)):
                return f".{dotted}"
            if bound is None:
                return f"{self._star}.{dotted}" if self._star and self._may_be_starred(head) else ""
            alias = dotted_name(bound) if isinstance(bound, ast.expr) else None
            if alias is None or alias.partition(".")[0] == head:
                return ""
            dotted = f"{alias}.{rest}".rstrip(".")
        return ""

    def classes_of(self, dotted: str) -> set[str]:
        """The last names of what is called to make the objects that a file gives a name."""
        return self._made.get(dotted, set())

    def _may_be_starred(self, name: str) -> bool:
        return name.isidentifier() and name not in self._own

    @cached_property
    def _star(self) -> str:
        """A module that the file takes all from, of the project where one may be."""
        stars = self.module.stars
        return next((star for star in stars if star.partition(".")[0] not in LIBRARIES), stars[0] if stars else "")

    @cached_property
    def _own(self) -> frozenset[str]:
        """The names that the file binds anywhere."""
        nodes = walk(self.module.tree)
        changed = {each.target for each in nodes if isinstance(each, ast.AugAssign)}  # bound before
        names = (each for each in nodes if isinstance(each, ast.Name) and each not in changed)
        stored = (each.id for each in names if not isinstance(each.ctx, ast.Load))
        return frozenset([*stored, *(each.arg for each in nodes if isinstance(each, ast.arg))])

    @cached_property
    def _made(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for node in self._statements:
            called = node.value.func if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) else None
            name = dotted_name(called)
            if name is not None and isinstance(node, ast.Assign):
                full = self.qualified(name) or name
                for target in node.targets:
                    found.setdefault(dotted_name(target) or "", set()).add(full.rpartition(".")[2])
        return found


def _loaded(module: Module) -> Iterator[str]:
    """The words of the names of modules that are looked up: `import_module("a.b")`."""
    for node in walk_rows(module.tree, module.rows_with_any(LOADING)):
        name = node.args[0] if isinstance(node, ast.Call) and node.args else None
        if isinstance(node, ast.Call) and isinstance(name, ast.Constant):
            called = (dotted_name(node.func) or "").rpartition(".")[2]
            yield from _WORD.findall(str(name.value)) if called in LOADING else ()
