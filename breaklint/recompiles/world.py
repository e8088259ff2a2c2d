"""What a call begins with."""

from __future__ import annotations

from typing import Any

from breaklint.recompiles.objects import copied
from breaklint.recompiles.scopes import Scope


class World:
    """What a call begins with: its arguments, the names of modules' top levels that were read or set so far, and the
    variables of the functions around the one that is compiled."""

    def __init__(
        self,
        arguments: dict[str, Any],
        globals_: dict[tuple[str, str], Any],
        origin: World | None = None,
        closure: Scope | None = None,
    ) -> None:
        self.arguments, self.globals, self.origin, self.closure = arguments, globals_, origin, closure

    def copy(self) -> World:
        """A world in which changes stay."""
        memo: dict[int, Any] = {}
        return World(copied(self.arguments, memo), copied(self.globals, memo), self, _copied(self.closure, memo))


def _copied(scope: Scope | None, memo: dict[int, Any]) -> Scope | None:
    if scope is None:
        return None
    made = Scope(scope.module, _copied(scope.parent, memo), scope.cls)
    made.names = {name: copied(value, memo) for name, value in scope.names.items()}
    made.outer, made.globals = scope.outer, scope.globals
    return made
