"""What of a model breaks its graph, and what the gates of an arm found."""

from __future__ import annotations

from dataclasses import dataclass

from breaklint.verify.paths import shown


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether a strict gate let the model pass, and its first complaint."""

    ok: bool
    error: str | None


@dataclass(frozen=True, slots=True)
class Operations:
    """How many tensor operations of one call run in graphs, and how many outside of any."""

    compiled: int
    eager: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.compiled + self.eager


@dataclass(frozen=True, slots=True)
class FurtherCall:
    """A compiled call with other inputs than the given: `name` says which, `sized` that their shapes are others.

    `recompiles` is how often something recompiled for it, `differences` how its results differ from eager's.
    """

    name: str
    sized: bool
    recompiles: int
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rung:
    """One layer of the compiler added to those before, and what is wrong with it (None: nothing)."""

    layer: str
    backend: str
    error: str | None


@dataclass(frozen=True, slots=True)
class BranchReport:
    """A branch that a fix rewrites; `true` and `false` name the inputs that reached that outcome (None: none did)."""

    filename: str
    row: int
    true: str | None
    false: str | None


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A function that runs eagerly from `row` on, since Dynamo gave up its frame there."""

    filename: str
    row: int
    function: str = ""


@dataclass(frozen=True, slots=True)
class Break:
    """One line on which Dynamo really broke the graph.

    `called_from` is the innermost own line above a break in dependency code; `gave_up` are the frames that run eagerly
    because of it: its own, or one that calls it.
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
        """Does a whole frame run eagerly because of it?"""
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
