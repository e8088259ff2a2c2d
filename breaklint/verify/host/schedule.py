"""What runs when: the steps of all targets as one state machine, which starts no process and reads no clock.

Its events are `next`, which begins what may begin, and `ended`. What a step waits for and what it holds are tables.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

EAGER, BEFORE, WHOLE, EVERY = "eager", "before", "", "*"
"""Arms; `WHOLE` stands for the target, whose steps concern all of them."""
ALONE, BUT = "fix:", "but:"
"""How the names of arms begin that have one fix alone, and of those that have all fixes but one."""
COMPARED = ("compile", "probe", "inspect", "bisect", "climb")
OF_ARM = {EAGER: ("load", "reference"), BEFORE: ("start", "load", "twin", *COMPARED)}
USUAL = ("start", "load", "rewritten", "differ", *COMPARED)
"""The steps of an arm, one after the other; of those with all fixes but one, only breaks and results count."""
OF_TARGET = ("scout", "plan", "alone", "time", "retime", "sweep", "repro", "judge")
OPTIONAL = ("time", "retime", "sweep", "repro")
"""Steps that a target has only where something asks for them."""
WAITS_FOR = {
    "plan": ((WHOLE, "scout"),),
    "load": ((EAGER, "load"),),
    "twin": ((EAGER, "reference"),),
    "rewritten": ((EAGER, "reference"),),
    "differ": ((BEFORE, "twin"),),  # what varies by itself does not count
    "alone": ((WHOLE, "plan"), (EVERY, "reference"), (EVERY, "compile"), (EVERY, "climb")),  # which fixes to run alone?
    "time": ((WHOLE, "alone"), (EVERY, "compile"), (EVERY, "climb")),
    "retime": ((WHOLE, "time"),),
    "probe": ((WHOLE, "alone"), (WHOLE, "time"), (WHOLE, "retime")),
    "sweep": ((EVERY, "probe"),),
    "inspect": ((WHOLE, "sweep"),),
    "repro": ((EVERY, "bisect"),),
    "judge": (
        (WHOLE, "alone"),
        (EVERY, "compile"),
        (EVERY, "bisect"),
        (EVERY, "climb"),
        *((WHOLE, name) for name in OPTIONAL),
    ),
}
SLOT, START, DEVICE = "slot", "start", "device"
HOLDS = {
    **dict.fromkeys(("scout", "reference", "twin", "rewritten", *COMPARED, "repro"), SLOT),
    **{"start": START, "time": DEVICE, "sweep": DEVICE, "retime": DEVICE},
}


def steps_of(arm: str) -> Sequence[str]:
    """The steps of an arm, one after the other."""
    return USUAL[:5] if arm.startswith(BUT) else OF_ARM.get(arm, USUAL)


class Step(NamedTuple):
    """Something that one arm of a target does, or (`WHOLE`) the target."""

    target: int
    arm: str
    name: str


@dataclass(frozen=True)
class Outcome:
    """What a step leads to: an arm that has `failed` takes no further step but `climb`, where that is wanted, and
    without `eager` no arm does."""

    failed: bool = False
    arms: Sequence[str] = ()
    wants: Sequence[str] = ()


class Phase(Enum):
    """How far a target is; one that waits to have the machine for itself makes room for another."""

    QUEUED, RUNNING, WAITING, ALONE, RETURNING, DONE = range(6)


@dataclass
class _Target:
    phase: Phase = Phase.QUEUED
    device: str = ""
    arms: list[str] = field(default_factory=list)
    begun: set[tuple[str, str]] = field(default_factory=set)
    ended: set[tuple[str, str]] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    climbing: set[str] = field(default_factory=set)
    wants: set[str] = field(default_factory=set)

    def is_past(self, arm: str, name: str) -> bool:
        """Is the step done, or does it never come?"""
        if arm == EVERY:
            return all(self.is_past(each, name) for each in self.arms if name in steps_of(each))
        if name == "climb":
            return arm not in self.climbing or (arm, name) in self.ended
        missing = arm not in (WHOLE, *self.arms) and (WHOLE, "plan") in self.ended  # a target that was not planned
        left_out = missing or arm in self.failed or (name in OPTIONAL and name not in self.wants)
        return left_out or (arm, name) in self.ended

    def open(self) -> Iterator[tuple[str, str]]:
        """The steps that could begin now."""
        steps = [(WHOLE, name) for name in OF_TARGET if name not in OPTIONAL or name in self.wants]
        for arm in self.arms:
            left = [name for name in steps_of(arm) if not self.is_past(arm, name)]
            steps += [(arm, name) for name in left[:1]]
        for arm, name in steps:
            waited = (each for each in WAITS_FOR.get(name, ()) if each != (arm, name))
            if (arm, name) not in self.begun and all(self.is_past(*each) for each in waited):
                yield arm, name


class Schedule:
    """The state of a run.

    Args:
        targets: how many there are.
        devices: among which they are shared out.
        slots: how many steps that compute may run at the same time.
        starts: how many arms may start on a device at the same time.
        beside: how many targets of one device run at the same time.
        waiting: how many targets of a device may wait to be timed alone; then no other begins before they were.
    """

    def __init__(
        self, targets: int, devices: Sequence[str], slots: int = 2, starts: int = 6, beside: int = 1, waiting: int = 4
    ) -> None:
        self._targets = [_Target() for _ in range(targets)]
        self._devices, self._beside, self._most = devices, beside, waiting
        self._free = Counter({SLOT: slots, START: starts, **{f"{DEVICE} {name}": 1 for name in devices}})
        self._draining = self._stopped = False

    @property
    def finished(self) -> bool:
        """Has everything ended, or been stopped?"""
        return self._stopped or not self._in(*set(Phase) - {Phase.DONE})

    def device_of(self, target: int) -> str:
        """On which device it runs."""
        return self._targets[target].device

    def stop(self) -> None:
        """Begin nothing any more."""
        self._stopped = True

    def next(self) -> list[Step]:
        """Begin all steps whose turn has come."""
        self._change_phases()
        begun = []
        for number, target in enumerate(self._targets if not self._stopped else ()):
            if target.phase not in (Phase.RUNNING, Phase.ALONE):
                continue
            for arm, name in target.open():
                resource = self._resource(target, name)
                if (resource and not self._free[resource]) or (name == "retime") != (target.phase is Phase.ALONE):
                    continue
                self._free[resource] -= 1
                target.begun.add((arm, name))
                begun.append(Step(number, arm, name))
        return begun

    def ended(self, step: Step, outcome: Outcome = Outcome()) -> None:
        """A step has ended; what this makes possible comes with `next`."""
        target = self._targets[step.target]
        target.ended.add(step[1:])
        self._free[self._resource(target, step.name)] += 1
        target.arms += outcome.arms
        target.wants.update(outcome.wants)
        if outcome.failed:
            target.failed.add(step.arm)
            target.climbing.update({step.arm} if "climb" in outcome.wants else ())
        if EAGER in target.failed:
            target.failed.update(target.arms)
            target.wants.clear()
            target.climbing.clear()
        if step.name == "judge":
            target.phase = Phase.DONE
        elif step.name == "retime":
            target.phase = Phase.RETURNING
        elif step.name == "time" and "retime" in target.wants:
            target.phase = Phase.WAITING

    def _change_phases(self) -> None:
        waiting, alone = self._in(Phase.WAITING), self._in(Phase.ALONE)
        of_devices = Counter(target.device for target in waiting)
        self._draining = bool(waiting) and (self._draining or max(of_devices.values()) >= self._most)
        if waiting:
            if not self._in(Phase.RUNNING, Phase.ALONE) and (self._draining or not self._in(Phase.QUEUED)):
                waiting[0].phase = Phase.ALONE
        elif not alone:  # all that wait have had their turn before the first of them goes on
            for target in self._in(Phase.RETURNING):
                target.phase = Phase.RUNNING
        if self._draining or self._in(Phase.ALONE):
            return
        running = Counter(target.device for target in self._in(Phase.RUNNING))
        for target in self._in(Phase.QUEUED):
            device = min(self._devices, key=lambda name: running[name])
            if running[device] >= self._beside:
                break
            running[device] += 1
            target.phase, target.device = Phase.RUNNING, device

    def _in(self, *phases: Phase) -> list[_Target]:
        return [target for target in self._targets if target.phase in phases]

    @staticmethod
    def _resource(target: _Target, name: str) -> str:
        held = HOLDS.get(name, "")
        return f"{DEVICE} {target.device}" if held == DEVICE else held


FACTOR = 20.0
FLOORS = {"rewritten": 60.0, "compile": 120.0, "round": 30.0, "fresh_values": 30.0, "timed": 30.0, "probes": 90.0}
"""Seconds that a request may take in any case; those that are not named have no other limit than the user's."""
LIKE = {"reference": "rewritten", "twin": "rewritten"}
"""Requests of the original that take about as long as one of the others."""


class Deadlines:
    """How long a request may take: as long as the user allows, or a multiple of what it took in other arms."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._took: dict[str, dict[str, float]] = defaultdict(dict)

    def note(self, arm: str, op: str, seconds: float) -> None:
        """A request of an arm took so long."""
        took = self._took[LIKE.get(op, op)]
        took[arm] = max(seconds, took.get(arm, 0.0))

    def seconds(self, arm: str, op: str) -> float:
        """How long it may take, as far as is known now."""
        others = [seconds for name, seconds in list(self._took[op].items()) if name != arm]
        if not others or op not in FLOORS or arm in (EAGER, BEFORE):
            return self._timeout_s
        return min(self._timeout_s, max(FLOORS[op], FACTOR * max(others)))
