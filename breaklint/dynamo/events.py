"""Graph breaks and recompilations as data. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass

from breaklint.source.shown_paths import shown


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A function that runs in eager mode from `row` on, because Dynamo skipped its frame there."""

    filename: str
    row: int
    function: str = ""


@dataclass(frozen=True, slots=True)
class Break:
    """One line on which Dynamo broke the graph.

    `gb` is the id in torch's registry, "" if it has none. `called_from` is the innermost own line above a break in
    dependency code. `gave_up` are the frames that run eagerly because of the break: its own, or one that calls it.
    """

    filename: str
    row: int
    gb: str
    reason: str
    own: bool
    called_from: tuple[str, int] | None = None
    gave_up: tuple[GivenUp, ...] = ()

    @property
    def skips_frame(self) -> bool:
        """Whether a whole frame runs in eager mode because of it."""
        return bool(self.gave_up)

    @property
    def place(self) -> str:
        """Its line, and the own line above it."""
        origin = f", called from {shown(self.called_from[0])}:{self.called_from[1]}" if self.called_from else ""
        return f"{shown(self.filename)}:{self.row}{origin}"

    @property
    def summary(self) -> str:
        """Its place, id and title."""
        return f"{self.place} ({self.gb or 'no id'}: {self.title})"

    @property
    def title(self) -> str:
        """The reason without its explanation."""
        return self.reason.partition(": ")[0]


@dataclass(frozen=True, slots=True)
class FailedGuard:
    """A failing guard, and the row that torch names for it (None for a guard on an input itself)."""

    text: str
    filename: str | None = None
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Recompile:
    """One recompilation: the function's place, and the guards of its entries that failed, the newest first.

    With `limit_reached`, Dynamo did not compile again: the function had as many entries as Dynamo allows, and runs
    eagerly from then on if none of them fits.
    """

    filename: str
    row: int
    function: str
    guards: tuple[FailedGuard, ...]
    limit_reached: bool = False
