"""Variables, and how the body of a function ends."""

from __future__ import annotations

from typing import Any, Final

from breaklint.project.module import ClassInfo, Module

MISSING: Final = object()


class Scope:
    """The variables of a call, inside those of the functions around it; `module` is where other names are looked up."""

    def __init__(self, module: Module, parent: Scope | None = None, cls: ClassInfo | None = None) -> None:
        self.module, self.parent, self.cls = module, parent, cls
        self.names: dict[str, Any] = {}
        self.outer: set[str] = set()
        self.globals: set[str] = set()
        self.yields: list[Any] = []

    def find(self, name: str) -> Any:
        """The value of a variable, MISSING where none has the name."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return MISSING

    def bind(self, name: str, value: Any) -> None:
        """Set a variable of this scope, or that which `nonlocal` names."""
        scope = self
        if name in self.outer:
            while scope.parent is not None and name not in scope.parent.names:
                scope = scope.parent
            scope = scope.parent or self
        scope.names[name] = value


class Returned(Exception):
    """A function returns."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class Broken(Exception):
    """A loop ends."""


class Continued(Exception):
    """A loop goes on with its next iteration."""


class Raised(Exception):
    """The program raises."""


class Undecided(Exception):
    """The program asks for a value of which nothing is known."""


class OutOfBudget(Exception):
    """The program is too long to be followed."""
