"""What the arms of a target gave."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from breaklint.verify.host.workers import ArmError
from breaklint.verify.judge import bench
from breaklint.verify.judge.results import ArmReport, BranchReport, Settled, Speedup

CONTROL = "control"


@dataclass
class Measurements:
    """What the arms gave. `samples` also holds the second series of the arm `before` under `CONTROL`.

    `settled` is what was spent on timing again, alone, where noise had left the verdict open.
    `unstable` lists how two equal calls of the uncompiled model differ, `incomparable` is why equal results would prove
    nothing ("" where they do).
    """

    arms: dict[str, ArmReport] = field(default_factory=dict)
    samples: dict[str, list[float]] = field(default_factory=dict)
    unstable: list[str] = field(default_factory=list)
    incomparable: str = ""
    environment: dict[str, Any] = field(default_factory=dict)
    branches: list[BranchReport] = field(default_factory=list)
    settled: Settled | None = None

    def speedup(self, base: str, candidate: str) -> Speedup | None:
        """How many times faster `candidate` is than `base`, if both were timed."""
        failed = any(name in self.arms and self.arms[name].error for name in (base, candidate))
        if failed or base not in self.samples or candidate not in self.samples:
            return None
        return bench.speedup(self.samples[base], self.samples[candidate])

    def noise(self) -> float | None:
        """How far the arm `before` deviates from itself: 0.1 for 10 %; None where it was not timed."""
        return bench.noise(self.speedup("before", CONTROL))

    def failed(self, name: str) -> bool:
        """Did this arm end early?"""
        return self.arms[name].error is not None

    def fail(self, name: str, error: ArmError) -> None:
        """This arm gives nothing any more, and why."""
        self.arms[name] = replace(self.arms.get(name, ArmReport()), error=error.failure)
