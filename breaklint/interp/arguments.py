"""The evaluated arguments of a call."""

from __future__ import annotations

from breaklint.interp.lattice import Value


class Arguments:
    """Evaluated arguments. `starred`: a `*rest` of unknown length, or `**rest`, was among them."""

    __slots__ = ("args", "kwargs", "starred")

    def __init__(self, args: list[Value], kwargs: dict[str, Value], starred: bool = False) -> None:
        self.args, self.kwargs, self.starred = args, kwargs, starred

    def get(self, index: int, name: str = "") -> Value | None:
        """The argument at a position (-1: keyword only) or under a name."""
        if name in self.kwargs:
            return self.kwargs[name]
        return self.args[index] if 0 <= index < len(self.args) else None
