"""What a call begins with."""

from __future__ import annotations

from typing import Any

from breaklint.recompiles.objects import copied


class World:
    """What a call begins with: its arguments, and the names of modules' top levels that were read or set so far."""

    def __init__(
        self, arguments: dict[str, Any], globals_: dict[tuple[str, str], Any], origin: World | None = None
    ) -> None:
        self.arguments, self.globals, self.origin = arguments, globals_, origin

    def copy(self) -> World:
        """A world in which changes stay."""
        memo: dict[int, Any] = {}
        return World(copied(self.arguments, memo), copied(self.globals, memo), self)
