"""What one class defines and stores, without its tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.project.own_names import otherwise_bound
from breaklint.project.project import BUILTINS
from breaklint.project.walking import dotted_name, walk

if TYPE_CHECKING:
    from breaklint.analysis.imports import FileImports
    from breaklint.analysis.stores import Stores
    from breaklint.analysis.top_level import Binding

BLOCKS = (ast.If, ast.Try, ast.With)


class ClassIndex(NamedTuple):
    """A class of a file: its `bases` and `makers` (decorators, metaclass) by their qualified names, its methods, the
    names that its body binds otherwise, those of them that are `computed` by a call; what its methods store in `self`,
    with the `beginnings` of names that are put together, and the `buffers` that its constructor registers in any case
    (None: it may not come to that).

    A qualified name begins with a dot for what the file itself defines; "?" is what has no name, or one that may stand
    for more than one thing, which may be any class.
    """

    name: str
    bases: tuple[str, ...]
    makers: tuple[str, ...]
    methods: tuple[str, ...]
    attributes: tuple[str, ...]
    computed: tuple[str, ...]
    stored: tuple[str, ...]
    beginnings: tuple[str, ...]
    buffers: tuple[str, ...] | None


UNKNOWN = "?"


class Bases:
    """What the bases of classes stand for, by all bindings of the top level."""

    def __init__(self, imports: FileImports, bindings: Mapping[str, Sequence[Binding]]) -> None:
        self.imports, self._bindings, self._module = imports, bindings, imports.module

    def names(self, node: ast.expr, cls: str) -> Iterator[str]:
        """The qualified names of what a base of a class may be."""
        dotted = dotted_name(node.value if isinstance(node, ast.Subscript) else node)
        yield from [UNKNOWN] if dotted is None else self._options(dotted, cls, frozenset())

    def _options(self, dotted: str, cls: str, seen: frozenset[str]) -> Iterator[str]:
        head, _, rest = dotted.partition(".")
        found, bound = self._bindings.get(head, ()), self._module.names.get(head)
        imported = [each.qualified for each in found if each.qualified]
        imported += [self.imports.names[head]] if head in self.imports.names and not found else []
        yield from (f"{name}.{rest}".rstrip(".") for name in imported)
        known = len(imported)
        if isinstance(bound, ClassInfo | FunctionInfo):
            known += 1
            yield from [f".{dotted}"] if head != cls else []
        elif _is_own_file(bound) and rest:
            known += 1
            yield from self._options(rest, cls, seen)
        elif isinstance(bound, ast.expr) and (alias := dotted_name(bound)) is not None and head not in seen:
            known += 1
            yield from self._options(f"{alias}.{rest}".rstrip("."), cls, seen | {head})
        if not known and (stars := self._module.stars) and not found and head not in BUILTINS:
            yield from (f"{star}.{dotted}" for star in stars)
        elif head in BUILTINS and not known:
            yield dotted
        elif known < max(len(found), 1):
            yield UNKNOWN


def _is_own_file(node: object) -> bool:
    """Whether an expression is `sys.modules[__name__]`."""
    found = isinstance(node, ast.Subscript) and dotted_name(node.slice) == "__name__"
    return found and dotted_name(node.value) == "sys.modules"  # type: ignore[attr-defined]


def class_index(node: ast.ClassDef, bases: Bases, stores: Stores) -> ClassIndex:
    """The index of a class."""
    methods, attributes, computed = list[str](), set[str](), set[str]()
    buffers: tuple[str, ...] | None = ()
    for statement in _body(node.body):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            methods.append(statement.name)
            if statement.name == "__init__":
                buffers = _buffers(statement)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names = {target.id for target in targets if isinstance(target, ast.Name)}
            attributes |= names
            computed |= names if isinstance(statement.value, ast.Call) else set()
        if not isinstance(statement, BLOCKS):
            attributes.update(name for name, _ in otherwise_bound(statement))
    makers = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    makers += [keyword.value for keyword in node.keywords]
    return ClassIndex(
        node.name,
        tuple(dict.fromkeys(name for base in node.bases for name in bases.names(base, node.name))),
        tuple(_name(maker, bases.imports) for maker in makers),
        tuple(dict.fromkeys(methods)),
        tuple(sorted(attributes)),
        tuple(sorted(computed)),
        tuple(sorted(stores.own.get(node.name, ()))),
        tuple(sorted(stores.beginnings.get(node.name, ()))),
        buffers,
    )


def _name(node: ast.expr, imports: FileImports) -> str:
    dotted = dotted_name(node.value if isinstance(node, ast.Subscript) else node)
    return UNKNOWN if dotted is None else imports.qualified(dotted) or dotted


def _body(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a class, those under tests, `try` and `with` too."""
    for statement in body:
        yield statement
        for block in ("body", "orelse", "finalbody") if isinstance(statement, BLOCKS) else ():
            yield from _body(getattr(statement, block, []))
        for handler in getattr(statement, "handlers", ()):
            yield from _body(handler.body)


def _buffers(made: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[str, ...] | None:
    """The buffers that a constructor registers at its top."""
    if made.decorator_list:
        return None
    found = []
    for statement in made.body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and dotted_name(call.func) == "self.register_buffer" and call.args:
            name = call.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                found.append(name.value)
    return None if found and any(isinstance(each, ast.Return) for each in walk(made)) else tuple(found)
