"""The evaluated arguments of a call."""

from __future__ import annotations

from breaklint.interp.lattice import Value, join


class Arguments:
    """Evaluated arguments. `starred`: a `*rest` of unknown length, or `**rest`, was among them; `optional`: only
    `**rest` was."""

    __slots__ = ("args", "kwargs", "optional", "starred")

    def __init__(self, args: list[Value], kwargs: dict[str, Value], starred: bool = False) -> None:
        self.args, self.kwargs, self.starred = args, kwargs, starred
        self.optional = False

    def get(self, index: int, name: str = "") -> Value | None:
        """The argument at a position (-1: keyword only) or under a name."""
        if name in self.kwargs:
            return self.kwargs[name]
        return self.args[index] if 0 <= index < len(self.args) else None

    def widen(self, other: Arguments) -> bool:
        """Join arguments of the same number and names into these; returns whether they changed."""
        args = [join(mine, its) for mine, its in zip(self.args, other.args, strict=True)]
        kwargs = {name: join(mine, other.kwargs[name]) for name, mine in self.kwargs.items()}
        starred = self.starred or other.starred
        changed = args != self.args or kwargs != self.kwargs or starred != self.starred
        self.args, self.kwargs, self.starred = args, kwargs, starred
        return changed
