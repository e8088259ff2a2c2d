"""What of a model breaks its graph, and what the gates of an arm found."""

from __future__ import annotations

from dataclasses import dataclass


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
