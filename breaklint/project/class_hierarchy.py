"""Inheritance: the bases of classes, their method resolution order, and the inherited methods."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import chain

from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.walking import dotted_name

Resolved = ClassInfo | FunctionInfo | Module | str | tuple[Module, ast.expr]
Base = ClassInfo | str  # bases outside the project are qualified names


class ClassHierarchy(ABC):
    """The part of a project that resolves the bases of its classes."""

    def __init__(self) -> None:
        self._bases: dict[ClassInfo, list[Base]] = {}
        self._mro: dict[ClassInfo, list[Base]] = {}
        self._external: dict[ClassInfo, list[str]] = {}
        self._methods: dict[tuple[ClassInfo, str, ClassInfo | None], FunctionInfo | None] = {}
        self._definers: dict[tuple[ClassInfo, str], ClassInfo | None] = {}

    @abstractmethod
    def resolve(self, module: Module, dotted: str) -> Resolved | None:
        """The definition of a dotted name at the top level of `module`; None if nothing binds it."""

    def forget_classes(self) -> None:
        """Clear the tables of classes."""
        self._bases.clear()
        self._mro.clear()
        self._external.clear()
        self._methods.clear()
        self._definers.clear()

    def mro(self, cls: ClassInfo) -> list[Base]:
        """The class and its bases in Python's method resolution order (C3), bases outside the project as names.

        The bases of a class outside the project are unknown. If Python refuses the class, the order is depth first.
        """
        order = self._mro.get(cls)
        if order is None:
            self._mro[cls] = [cls]  # for classes that name each other
            bases = self.bases(cls)
            orders = [self.mro(base) if isinstance(base, ClassInfo) else [base] for base in bases]
            merged = orders[0] if len(orders) == 1 else merge_orders([*orders, bases])
            order = [cls, *(dict.fromkeys(chain.from_iterable(orders)) if merged is None else merged)]
            self._mro[cls] = order
        return order

    def method(self, cls: ClassInfo, name: str, after: ClassInfo | None = None) -> FunctionInfo | None:
        """The method `name` of the class (or of the classes after `after` in its MRO), None if the project has none."""
        key = (cls, name, after)
        if key not in self._methods:
            self._methods[key] = cls.method(name) if after is None else None
            if after is not None or self._methods[key] is None:
                self._methods[key] = self._inherited(cls, name, after)
        return self._methods[key]

    def is_dataclass(self, cls: ClassInfo) -> bool:
        """Whether a class has the decorator `dataclass`."""
        decorators = (item.func if isinstance(item, ast.Call) else item for item in cls.decorators)
        names = (self.resolve(cls.module, dotted_name(item) or "?") for item in decorators)
        return "dataclasses.dataclass" in names

    def _inherited(self, cls: ClassInfo, name: str, after: ClassInfo | None) -> FunctionInfo | None:
        if name == "__init__" and after is None and self.is_dataclass(cls):
            return None  # it is generated
        bases = self.bases(cls)
        if len(bases) == 1 and after in (None, cls):  # reuses the result of the only base
            return self.method(bases[0], name) if isinstance(bases[0], ClassInfo) else None
        mro = self.mro(cls)
        start = mro.index(after) + 1 if after in mro else 0
        for item in mro[start:]:
            if isinstance(item, ClassInfo) and (result := item.method(name)) is not None:
                return result
            if name == "__init__" and isinstance(item, ClassInfo) and self.is_dataclass(item):
                break
        return None

    def definer(self, cls: ClassInfo, name: str) -> ClassInfo | None:
        """The first class of the project in the MRO whose body has the name, or None."""
        key = (cls, name)
        if key not in self._definers:
            classes = (item for item in self.mro(cls) if isinstance(item, ClassInfo))
            self._definers[key] = next((item for item in classes if item.defines(name)), None)
        return self._definers[key]

    def external_bases(self, cls: ClassInfo) -> list[str]:
        """Qualified names of the bases outside the project."""
        external = self._external.get(cls)
        if external is None:
            self._external[cls] = []  # for classes that name each other
            result = (self.external_bases(base) if isinstance(base, ClassInfo) else [base] for base in self.bases(cls))
            external = self._external[cls] = list(dict.fromkeys(chain.from_iterable(result)))
        return external

    def ancestors(self, cls: ClassInfo) -> Iterator[str]:
        """Qualified names of all bases of the class, with or without source."""
        for base in self.mro(cls)[1:]:
            yield base if isinstance(base, str) else f"{base.module.name}.{base.name}"

    def bases(self, cls: ClassInfo) -> list[Base]:
        """The bases that the class names, without itself."""
        result = self._bases.get(cls)
        if result is None:
            bases = [self._base(cls.module, base) for base in cls.node.bases]
            result = self._bases[cls] = [base for base in bases if base is not cls]
        return result

    def _base(self, module: Module, node: ast.expr) -> Base:
        if isinstance(node, ast.Subscript):
            node = node.value
        dotted = dotted_name(node)
        result = self.resolve(module, dotted) if dotted else None
        if isinstance(result, tuple) and isinstance(result[1], ast.IfExp):
            return self._one_of(result[0], result[1])
        return result if isinstance(result, (ClassInfo, str)) else dotted or "?"

    def _one_of(self, module: Module, choice: ast.IfExp) -> Base:
        """The base that counts if a test selects one of two: a class of a traced module, if there is one."""
        bases = [self._base(module, side) for side in (choice.body, choice.orelse)]
        return next((base for base in bases if isinstance(base, ClassInfo) or base == "torch.nn.Module"), bases[0])


def merge_orders(orders: Sequence[Sequence[Base]]) -> list[Base] | None:
    """The C3 merge of linear orders: each item after its predecessors in all of them; None if impossible."""
    pending = [list(order) for order in orders if order]
    merged: list[Base] = []
    while pending:
        tails = set[Base]().union(*(order[1:] for order in pending))
        head = next((order[0] for order in pending if order[0] not in tails), None)
        if head is None:
            return None
        merged.append(head)
        pending = [rest for order in pending if (rest := order[1:] if order[0] == head else order)]
    return merged
