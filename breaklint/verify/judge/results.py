"""The report of verify: one tree of frozen data, which reports print or write as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from breaklint.dynamo.events import Break
from breaklint.model import Finding
from breaklint.source.shown_paths import shown

Interval = tuple[float, float]


class Verdict(str, Enum):
    """The verdict on a target or on one fix."""

    CONFIRMED = "confirmed"
    CORRECT = "correct"
    NOT_FASTER = "not-faster"
    BREAK_REMAINS = "break-remains"
    WRONG_RESULT = "wrong-result"
    ERROR = "error"
    INCONCLUSIVE = "inconclusive"
    CLEAN = "clean"
    RECOMPILES = "recompiles"
    NOT_COMPILED = "not-compiled"


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
    """A compiled call with other inputs; `sized` if their shapes differ."""

    name: str
    sized: bool
    recompiles: int
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BranchReport:
    """A branch that a fix rewrites; `true` and `false` name the inputs that reached that outcome (None: none did)."""

    filename: str
    row: int
    true: str | None
    false: str | None


@dataclass(frozen=True, slots=True)
class ArmFailure:
    """Why an arm failed: load, missing (an import), exception, compile, exit, crash, oom, timeout or no-cuda."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class ArmReport:
    """One arm: a source, compiled or not, run in its own process. Fields that were not measured are None.

    `rewrite_differences` are those of the uncompiled source from the original, `differences` those of the compiled
    model from eager. After `break_even_calls`, compiling has paid.
    """

    error: ArmFailure | None = None
    breaks: tuple[Break, ...] = ()
    fullgraph: Gate | None = None
    operations: Operations | None = None
    graphs_per_call: int | None = None
    recompiles: int | None = None
    kernels: int | None = None
    compile_s: float | None = None
    samples_ms: tuple[float, ...] = ()
    median_ms: float | None = None
    break_even_calls: int | None = None
    rewrite_differences: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    further_calls: tuple[FurtherCall, ...] = ()

    @property
    def is_wrong(self) -> bool:
        """Whether a result differs."""
        return bool(self.rewrite_differences or self.differences)

    @property
    def all_recompiles(self) -> int:
        """Those of equal calls, and of calls with other sizes."""
        return (self.recompiles or 0) + sum(call.recompiles for call in self.further_calls if call.sized)


@dataclass(frozen=True, slots=True)
class Retiming:
    """The cost of timing again, with no other arm running: rounds, which replace the first ones, and seconds."""

    rounds: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedFinding:
    """Which rule of check reports which lines."""

    code: str
    name: str
    filename: str
    row: int
    end_row: int
    dynamo: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The file and the first row."""
        return f"{shown(self.filename)}:{self.row}"


def identity(finding: Finding) -> dict[str, Any]:
    """The fields of a `ReportedFinding` for a finding of check."""
    span, dynamo = finding.span, tuple(finding.dynamo)
    place = {"filename": finding.filename, "row": span.start.row, "end_row": span.end.row}
    return {"code": finding.code, "name": finding.name, "dynamo": dynamo, **place}


@dataclass(frozen=True, slots=True, kw_only=True)
class NotConfirmed(ReportedFinding):
    """A finding on whose line Dynamo reported no break, and the reason."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FixReport(ReportedFinding):
    """One fix alone, against the source as it was."""

    applicability: str | None
    arm: str
    verdict: Verdict
    why: str
    break_removed: bool | None
    equal: bool | None
    speedup: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class FindingsJoin:
    """Findings against real break lines. `missed` are own breaks that no finding covers."""

    confirmed: tuple[ReportedFinding, ...] = ()
    not_confirmed: tuple[NotConfirmed, ...] = ()
    missed: tuple[Break, ...] = ()


@dataclass(frozen=True, slots=True)
class TargetReport:
    """All about one target; `ran_on` is its device.

    `retimed` is the effort of timing it again. `proven` are the texts of files with the confirmed fixes, by path.
    """

    target: str
    verdict: Verdict
    why: str
    arms: dict[str, ArmReport] = field(default_factory=dict)
    fixes: tuple[FixReport, ...] = ()
    findings: FindingsJoin = FindingsJoin()
    speedup: float | None = None
    interval: Interval | None = None
    noise: float | None = None
    retimed: Retiming | None = None
    environment: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    ran_on: str = ""
    measured_at: str = ""
    branches: tuple[BranchReport, ...] = ()
    proven: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run: its seconds, how many arms were compiled at the same time, and its devices or machines."""

    wall: float
    jobs: int
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """The result of one `breaklint verify`: `options` are those that results depend on; a merged one has no `run`."""

    environment: dict[str, Any]
    targets: tuple[TargetReport, ...]
    run: RunReport | None = None
    options: dict[str, Any] = field(default_factory=dict)
