"""What classes inherit: the classes they derive from, and the methods these give them."""

from __future__ import annotations

import ast
from itertools import chain
from typing import Any

from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.walking import dotted_name

Resolved = ClassInfo | FunctionInfo | Module | str | tuple[Module, ast.expr]


class ClassHierarchy:
    """The part of a project that knows what its classes derive from."""

    memo: dict[object, Any]

    def resolve(self, module: Module, dotted: str) -> Resolved | None:
        """What a dotted name means at the top level of `module`; None when nothing binds it."""
        raise NotImplementedError

    def mro(self, cls: ClassInfo) -> list[ClassInfo | str]:
        """The class and its bases, nearest first; bases outside the project as qualified names."""
        known: list[ClassInfo | str] | None = self.memo.get(cls)
        if known is None:
            self.memo[cls] = [cls]  # for classes that name each other
            found = (self.mro(base) if isinstance(base, ClassInfo) else [base] for base in self.bases(cls))
            known = self.memo[cls] = list(dict.fromkeys(chain([cls], *found)))
        return known

    def method(self, cls: ClassInfo, name: str, after: ClassInfo | None = None) -> FunctionInfo | None:
        """The method `name` of the class (of what follows `after` in its MRO), None when the project has none."""
        key = (cls, name, after)
        if key in self.memo:
            known: FunctionInfo | None = self.memo[key]
            return known
        found = self.memo[key] = cls.methods.get(name) if after is None else None
        if after is not None:
            mro = self.mro(cls)
            start = mro.index(after) + 1 if after in mro else 0
            classes = (item for item in mro[start:] if isinstance(item, ClassInfo) and name in item.methods)
            found = next((item.methods[name] for item in classes), None)
        elif found is None:  # what the bases know already, so that a long line of them is not gone through again
            bases = (base for base in self.bases(cls) if isinstance(base, ClassInfo))
            found = next((method for base in bases if (method := self.method(base, name))), None)
        self.memo[key] = found
        return found

    def external_bases(self, cls: ClassInfo) -> list[str]:
        """Qualified names of the bases outside the project."""
        key = ("external", cls)
        known: list[str] | None = self.memo.get(key)
        if known is None:
            self.memo[key] = []  # for classes that name each other
            bases = self.bases(cls)
            found = (self.external_bases(base) if isinstance(base, ClassInfo) else [base] for base in bases)
            known = self.memo[key] = list(dict.fromkeys(chain.from_iterable(found)))
        return known

    def bases(self, cls: ClassInfo) -> list[ClassInfo | str]:
        """What the class names as its bases, without itself."""
        key = ("bases", cls)
        known: list[ClassInfo | str] | None = self.memo.get(key)
        if known is None:
            bases = [self._base(cls.module, base) for base in cls.node.bases]
            known = self.memo[key] = [base for base in bases if base is not cls]
        return known

    def _base(self, module: Module, node: ast.expr) -> ClassInfo | str:
        if isinstance(node, ast.Subscript):
            node = node.value
        dotted = dotted_name(node)
        found = self.resolve(module, dotted) if dotted else None
        return found if isinstance(found, (ClassInfo, str)) else dotted or "?"
