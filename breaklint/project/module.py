"""One parsed file: its imports, classes and functions, by name. Built from the stdlib `ast` in one pass over the
top level."""

from __future__ import annotations

import ast
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeVar

from breaklint.errors import SourceError
from breaklint.project.outline import Piece
from breaklint.project.scope import Scope
from breaklint.project.walking import NodesByClass, children, dotted_name, has_row, rows_with
from breaklint.source.suppression import Comments

T = TypeVar("T")
REBINDING: Final = (re.compile(r"global\s+([\w ,]+)"), re.compile(r"nonlocal\s+([\w ,]+)"))


_YIELDING: Final = frozenset({ast.Yield, ast.YieldFrom})
_NESTED: Final = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef})


class ImportedName:
    """The qualified name of a name that an import binds."""

    __slots__ = ("qualified",)

    def __init__(self, qualified: str) -> None:
        self.qualified = qualified


class Unfollowed(ast.expr):
    """The value of a name whose binding is not followed: by a loop, by unpacking, in place.

    It has no transfer function, so that its value is unknown.
    """


class Signature(NamedTuple):
    """The parameters of a function: positional ones, those bound by name, and all with their defaults; `minimum` is the
    number of positional arguments that a call without keywords needs, None if no such call is possible."""

    names: tuple[str, ...]
    keywords: frozenset[str]
    defaults: tuple[tuple[ast.arg, ast.expr | None], ...]
    minimum: int | None


FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class LazyDefinition(ABC):
    """A definition that was cut out of its file as a piece, and is parsed when it is first needed."""

    piece: Piece

    @abstractmethod
    def function(self, info: FunctionInfo) -> FunctionNode:
        """The definition of a function, inserted at its place."""

    @abstractmethod
    def class_body(self, info: ClassInfo) -> ClassBody:
        """The members of a class, with its definition inserted at its place."""

    @abstractmethod
    def value(self, module: Module) -> ast.expr:
        """The value of a table, parsed at its position."""

    @abstractmethod
    def complete(self, module: Module) -> None:
        """Insert the definition, with all pieces that were cut out of it."""


class FunctionInfo:
    """A function or lambda with its place. Compared by identity.

    `node` is parsed at its first use, if the function was cut out of its file.
    """

    def __init__(
        self,
        module: Module,
        name: str,
        cls: ClassInfo | None = None,
        place: LazyDefinition | None = None,
        node: FunctionNode | None = None,
    ) -> None:
        self.module, self.name, self.cls = module, name, cls
        self.signature: Signature | None = None  # of signatures.py, which needs it at every call
        self._derived: dict[Callable[[FunctionInfo], Any], Any] = {}
        self._place = place
        if node is not None:
            self.node = node

    @cached_property
    def node(self) -> FunctionNode:
        """The definition."""
        assert self._place is not None
        return self._place.function(self)

    @cached_property
    def nodes(self) -> NodesByClass:
        """All nodes of the definition, including those of inner functions."""
        return NodesByClass(self.node)

    def derive(self, make: Callable[[FunctionInfo], T]) -> T:
        """The result of `make` for the function, stored in it."""
        result: T | None = self._derived.get(make)
        if result is None:
            result = self._derived[make] = make(self)
        return result

    def may_hold(self, word: str) -> bool:
        """Whether the text of the definition may contain a word; a piece is not parsed for this."""
        if self._place is not None and "node" not in self.__dict__:
            return self._place.piece.holds(word)
        rows = self.module.rows_with(word)
        return bool(rows) and (isinstance(self.node, ast.Lambda) or has_row(self.node, rows))

    @cached_property
    def is_stub(self) -> bool:
        """Whether an override is called in its place: its body is `...`, or it is abstract and its body is empty."""
        body = [] if isinstance(self.node, ast.Lambda) else self.node.body
        values = [item.value if isinstance(item, ast.Expr) else item for item in body]
        if not values or not all(isinstance(item, (ast.Constant, ast.Pass)) for item in values):
            return False
        is_ellipsis = getattr(values[-1], "value", None) is ...
        return is_ellipsis or any(
            (dotted_name(decorator) or "").endswith("abstractmethod") for decorator in self.decorators
        )

    @cached_property
    def is_staticmethod(self) -> bool:
        """Whether a method has no owner."""
        return self._has_decorator("staticmethod")

    @cached_property
    def is_classmethod(self) -> bool:
        """Whether the owner of a method is its class."""
        return self._has_decorator("classmethod")

    def _has_decorator(self, name: str) -> bool:
        return any(dotted_name(decorator) == name for decorator in self.decorators)

    @cached_property
    def is_generator(self) -> bool:
        """Whether a call returns a generator."""
        return self.module.may_yield(self.node) and _yields(self.node)

    @cached_property
    def decorators(self) -> list[ast.expr]:
        """The decorator expressions, outermost first; a piece without decorators is not parsed."""
        if self._place is not None and not self._place.piece.is_decorated:
            return []
        return [] if isinstance(self.node, ast.Lambda) else self.node.decorator_list


class ClassBody:
    """The own members of a class: methods and class-level assignments."""

    __slots__ = ("annotations", "attributes", "methods", "node")

    def __init__(self, node: ast.ClassDef) -> None:
        self.node = node
        self.methods: dict[str, FunctionInfo] = {}
        self.attributes: dict[str, ast.expr] = {}
        self.annotations: dict[str, ast.expr] = {}


class ClassInfo:
    """A class. Compared by identity.

    Its body is parsed at its first use, if the class was cut out of its file.
    """

    def __init__(self, module: Module, name: str, place: LazyDefinition | None = None) -> None:
        self.module, self.name, self._place = module, name, place
        self.body: ClassBody | None = None

    def _class_body(self) -> ClassBody:
        if self.body is None:
            assert self._place is not None
            self.body = self._place.class_body(self)
        return self.body

    @cached_property
    def node(self) -> ast.ClassDef:
        """The definition."""
        return self._class_body().node

    @cached_property
    def decorators(self) -> list[ast.expr]:
        """The decorator expressions, outermost first; a piece without decorators is not parsed."""
        return [] if self._place is not None and not self._place.piece.is_decorated else self.node.decorator_list

    def may_hold(self, word: str) -> bool:
        """Whether the text of the definition may contain a word; a piece is not parsed for this."""
        if self._place is not None:
            return self._place.piece.holds(word)
        rows = self.module.rows_with(word)
        return bool(rows) and has_row(self.node, rows)

    def defines(self, name: str) -> bool:
        """Whether the body of the class itself has a name."""
        body = self._class_body()
        return name in body.methods or name in body.attributes or name in body.annotations

    @cached_property
    def methods(self) -> dict[str, FunctionInfo]:
        """The methods that the class defines itself, by name."""
        return self._class_body().methods

    def method(self, name: str) -> FunctionInfo | None:
        """The method of the class itself under a name, possibly an alias: `__call__ = forward`."""
        body = self._class_body()
        result = body.methods.get(name)
        if result is None and isinstance(alias := body.attributes.get(name), ast.Name):
            result = body.methods.get(alias.id)
        return result

    @cached_property
    def attributes(self) -> dict[str, ast.expr]:
        """The class-level assignments by name."""
        return self._class_body().attributes

    @cached_property
    def annotations(self) -> dict[str, ast.expr]:
        """The annotations of the names of the class."""
        return self._class_body().annotations


Bound = ImportedName | ClassInfo | FunctionInfo | ast.expr


@dataclass(eq=False, repr=False, slots=True)
class Answer:
    """The definition of a dotted name at the top level of a file.

    `imported` are the modules that were requested for it, with their files, and `reached` the names that were looked
    up, each with its file. `turn` is that of the checked file for which these were noted last.
    """

    value: ClassInfo | FunctionInfo | Module | str | tuple[Module, ast.expr] | None
    turn: int
    imported: dict[str, str | None]
    reached: tuple[tuple[str, str], ...]


@dataclass(eq=False, repr=False, slots=True)
class Module:
    """A file of the project. `name` is its dotted import name by its folders.

    `skeleton` has `pass` at the `places` of definitions that were not requested yet; `parsed` counts the characters
    that were parsed. `parts` are its text in pieces, which take less memory than the whole. `installed`: it is a file
    of a package in the environment, not of the project.
    """

    path: str
    name: str
    skeleton: ast.Module
    parts: list[str]
    is_package: bool = False
    places: dict[int, LazyDefinition] = field(default_factory=dict)
    parsed: int = 0
    names: dict[str, Bound | LazyDefinition] = field(default_factory=dict)  # of a table that was cut out, its place
    stars: list[str] = field(default_factory=list)
    inner_imports: dict[str, ImportedName] = field(default_factory=dict)  # of functions that define classes
    classes: list[ClassInfo] = field(default_factory=list)
    functions: dict[ast.AST, FunctionInfo] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)  # by dotted name, worked out by project.py
    rests_on: set[str] = field(default_factory=set)  # the files that were read for these
    lines: list[str] | None = None  # worked out by spans.py
    comments: Comments | None = None  # those that silence findings, worked out by lint
    scopes: dict[ast.AST, Scope] = field(default_factory=dict)  # of functions, and of the whole file
    derived: dict[type, object] = field(default_factory=dict)  # results of later stages for the file, by class
    installed: bool = False
    unparsed: SourceError | None = None  # why a definition could not be parsed when it was requested
    _rows: dict[str, list[int]] = field(default_factory=dict)  # of words
    _rebound: frozenset[str] | None = None
    _has_setters: bool | None = None
    _is_complete: bool = False  # whether all that was cut out has been put into the tree

    @property
    def text(self) -> str:
        """The source text."""
        return "".join(self.parts)

    def bound(self, name: str) -> Bound | None:
        """The definition of a name at the top level; None if no statement binds it."""
        result = self.names.get(name)
        if isinstance(result, LazyDefinition):
            result = self.names[name] = result.value(self)
        return result

    def forget(self) -> None:
        """Drop the tree and its index, which refer to each other."""
        for cls in self.classes:
            if cls.body is not None:
                cls.body.methods.clear()
        tables = (self.names, self.functions, self.scopes, self.skeleton.body, self.classes, self.places)
        for table in (*tables, self.derived, self.answers):
            table.clear()

    def forget_answers(self) -> None:
        """Drop the answers, one of which depends on a file that is gone."""
        self.answers.clear()
        self.rests_on.clear()

    def may_yield(self, node: FunctionNode) -> bool:
        """Whether the text of a function may contain a `yield`."""
        rows = self.rows_with("yield")
        return bool(rows) and (isinstance(node, ast.Lambda) or has_row(node, rows))

    def has_walrus(self, node: ast.AST) -> bool:
        """Whether the text of a statement, or of a part of it, may contain an assignment expression."""
        rows = self.rows_with(":=")
        return bool(rows) and (not isinstance(node, ast.stmt) or has_row(node, rows))

    def has_setters(self) -> bool:
        """Whether the text may contain the setter of a property."""
        if self._has_setters is None:
            self._has_setters = self.holds(".setter")
        return self._has_setters

    @property
    def rebound(self) -> frozenset[str]:
        """The names that `global` and `nonlocal` statements may declare: functions bind them outside of themselves."""
        if self._rebound is None:
            text = self.text if self.holds("global") or self.holds("nonlocal") else ""
            result = (names for pattern in REBINDING for names in pattern.findall(text))
            self._rebound = frozenset(name.strip() for names in result for name in names.split(","))
        return self._rebound

    def holds(self, word: str) -> bool:
        """Whether the text contains a word; its parts are not joined for this, since no part ends within a line."""
        return any(word in part for part in self.parts)

    def rows_with(self, word: str) -> list[int]:
        """The lines that contain a word, also within a longer word."""
        rows = self._rows.get(word)
        if rows is None:
            rows = self._rows[word] = rows_with(self.text, [word]) if self.holds(word) else []
        return rows

    @property
    def tree(self) -> ast.Module:
        """The tree with all definitions."""
        if not self._is_complete:
            self._is_complete = True
            for place in self.places.values():
                place.complete(self)
        return self.skeleton

    def scope(self, root: ast.AST) -> Scope:
        """The nodes of a function of the file, or of the whole file, with their parents."""
        scope = self.scopes.get(root)
        if scope is None:
            scope = self.scopes[root] = Scope(root)
        return scope

    def derive(self, kind: type[T], make: Callable[[], T]) -> T:
        """The result of `make` for the file, stored in it."""
        result = self.derived.get(kind)
        if result is None:
            result = self.derived[kind] = make()
        assert isinstance(result, kind)
        return result

    def absolute(self, name: str | None, level: int) -> str:
        """The dotted module that `from <level dots><name> import …` names here."""
        if level == 0:
            return name or ""
        parts = self.name.split(".")
        drop = level - 1 if self.is_package else level
        base = parts[: len(parts) - drop] if drop else parts
        return ".".join([*base, *([name] if name else [])])


def _yields(node: FunctionNode) -> bool:
    """Whether the function itself (not one inside it) yields."""
    stack: list[ast.AST] = list(node.body) if isinstance(node.body, list) else [node.body]
    while stack:
        current = stack.pop()
        if current.__class__ in _YIELDING:
            return True
        if current.__class__ not in _NESTED:
            stack += children(current)
    return False
