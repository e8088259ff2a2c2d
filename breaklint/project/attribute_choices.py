"""Attributes that a constructor chooses by a test which the object can repeat later.

    self.gated = gated
    if gated:
        self.layer = Gated(n)
    else:
        self.layer = nn.Linear(n, n)

Where `self.gated` has come out true, `self.layer` is what the first branch stores.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Final, NamedTuple

from breaklint.project.class_hierarchy import ClassHierarchy
from breaklint.project.module import ClassInfo, Module
from breaklint.project.object_effects import ANY, NAMING
from breaklint.project.walking import NodesByClass, dotted_name, statements, walk


class Choice(NamedTuple):
    """The value that one branch stores in an attribute, and the file of the statement."""

    value: ast.expr
    module: Module


NAMED: Final = ("setattr", "delattr", "__dict__", *sorted(NAMING))  # where attributes are stored by their names
Choices = dict[tuple[str, bool], dict[str, Choice]]  # by a test of `self`, as text, and its outcome


def choices(hierarchy: ClassHierarchy, cls: ClassInfo) -> Choices:
    """The attributes that constructors store under a test and its outcome, if neither is stored again."""
    result: Choices = {}
    line = [base for base in hierarchy.mro(cls) if isinstance(base, ClassInfo)]
    methods = _Methods(line)
    for place, base in enumerate(line):
        init = base.methods.get("__init__")
        node = None if init is None else init.node
        if not isinstance(node, ast.FunctionDef) or [item.arg for item in node.args.args[:1]] != ["self"]:
            continue
        choosing = [
            (number, statement)
            for number, statement in enumerate(node.body)
            if isinstance(statement, ast.If) and any(_stored([*statement.body, *statement.orelse]))
        ]
        if not choosing or any(isinstance(inner, ast.Return) for inner in statements(node)):
            continue  # where it returns early, which of its statements run is another question
        for number, statement in choosing:
            _collect(result, _Constructor(methods, line, place, node, number), statement, base.module)
    return result


class _Methods:
    """The methods of all classes of an MRO; only those whose text may matter are parsed."""

    def __init__(self, line: list[ClassInfo]) -> None:
        self._line = line
        self._stores: dict[str, list[ast.Attribute]] = {}

    def stores(self, name: str) -> list[ast.Attribute]:
        """The statements that store an attribute."""
        known = self._stores.get(name)
        if known is None:
            result = (node for nodes in self._holding(name) for node in nodes.of(ast.Attribute))
            known = self._stores[name] = [node for node in result if node.attr == name and _is_store(node)]
        return known

    @cached_property
    def named(self) -> frozenset[str]:
        """The attributes that they store by naming them, `*` for names that are computed."""
        written = (node for nodes in self._holding(*NAMED) for node in (*nodes.of(ast.Attribute), *nodes.of(ast.Call)))
        names = map(_naming, written)
        return frozenset(name for name in names if name is not None)

    def _holding(self, *words: str) -> Iterator[NodesByClass]:
        """The nodes of those methods whose text may hold one of some words."""
        for method in (method for base in self._line for method in base.methods.values()):
            if any(map(method.may_hold, words)):
                yield method.nodes


class _Constructor:
    """The constructor of one class of an MRO, up to one of its statements."""

    def __init__(
        self, methods: _Methods, line: list[ClassInfo], place: int, node: ast.FunctionDef, number: int
    ) -> None:
        self.methods, self.line, self.place, self.node, self.number = methods, line, place, node, number

    def is_last(self, name: str, targets: list[ast.expr]) -> bool:
        """Whether nothing but `targets` stores an attribute once the statement runs."""
        return self.methods.named.isdisjoint((name, ANY)) and all(
            any(store is target for target in targets) or store in self._earlier for store in self.methods.stores(name)
        )

    def is_fixed(self, path: str) -> bool:
        """Whether a name, or an attribute of one, is stored nowhere in the constructor."""
        name = path.partition(".")[0]
        return not any(
            (isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load))
            or (_is_store(node) and dotted_name(node) == path)
            for node in walk(self.node)
        )

    def kept_as(self, path: str) -> str | None:
        """The attribute of `self` that holds the value of a path of the constructor's names after a statement."""
        name, _, attribute = path.partition(".")
        if name == "self":
            return attribute if attribute and "." not in attribute and self.is_last(attribute, []) else None
        for statement in self.node.body:
            if isinstance(statement, ast.Assign) and dotted_name(statement.value) == path:
                for target in filter(_is_store, statement.targets):
                    place = (dotted_name(target) or "").removeprefix("self.")
                    if "." not in place and place and self.is_fixed(path) and self.is_last(place, [target]):
                        return place
        return None

    @cached_property
    def _earlier(self) -> set[ast.AST]:
        """The statements that run before a statement."""
        before = self.node.body[: self.number]
        result = {node for statement in before for node in walk(statement)}
        if any(_calls_base(statement) for statement in before):
            for base in self.line[self.place + 1 :]:
                init = base.methods.get("__init__")
                result.update(walk(init.node) if init is not None else ())
        return result


def _collect(found: Choices, constructor: _Constructor, statement: ast.If, module: Module) -> None:
    sides = {True: dict(_by_attribute(statement.body)), False: dict(_by_attribute(statement.orelse))}
    text = _repeated(constructor, statement.test)
    for name in sides[True].keys() | sides[False].keys() if text is not None else ():
        stores = {outcome: side[name] for outcome, side in sides.items() if name in side}
        if constructor.is_last(name, [store.targets[0] for store in stores.values()]):
            for outcome, store in stores.items():
                found.setdefault((str(text), outcome), {})[name] = Choice(store.value, module)


def _repeated(constructor: _Constructor, test: ast.expr) -> str | None:
    """The test as the methods can write it: of an attribute, or one that is compared with a constant."""
    subject, rest = test, ""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.comparators[0], ast.Constant):
        subject, rest = test.left, test_of(test)
    path = dotted_name(subject)
    parameter = None if path is None else constructor.kept_as(path)
    return None if parameter is None else f"{parameter}{rest}"


def test_of(test: ast.Compare) -> str:
    """The operand and the operator of a comparison."""
    return f" {type(test.ops[0]).__name__} {ast.unparse(test.comparators[0])}"


def _by_attribute(body: list[ast.stmt]) -> Iterator[tuple[str, ast.Assign]]:
    return ((target.attr, statement) for statement, target in _stored(body))


def _stored(body: list[ast.stmt]) -> Iterator[tuple[ast.Assign, ast.Attribute]]:
    """The statements of a branch that store an attribute of `self`."""
    for statement in body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Attribute) and dotted_name(target) == f"self.{target.attr}":
                yield statement, target


def _calls_base(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and ast.unparse(statement).startswith("super(")


def _is_store(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)


def _naming(node: ast.AST) -> str | None:
    """The attribute that a node stores by its name, None when it stores none."""
    if isinstance(node, ast.Attribute) and node.attr == "__dict__":
        return ANY
    path = dotted_name(node.func) if isinstance(node, ast.Call) else None
    if not isinstance(node, ast.Call) or path is None:
        return None
    given = node.args[1:2] if path in ("setattr", "delattr") else node.args[:1]
    if path in ("setattr", "delattr") or path.rpartition(".")[2] in NAMING:
        return str(given[0].value) if given and isinstance(given[0], ast.Constant) else ANY
    return None
