"""What runs when: the state machine of a run, driven by hand, without processes, threads or clocks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from breaklint.verify.host.schedule import HOLDS, SLOT, WHOLE, Deadlines, Outcome, Schedule, Step

ARMS = ("eager", "before", "after")
Decide = Callable[[Step], Outcome]


def usual(step: Step) -> Outcome:
    """A target with a fix, timed once."""
    return Outcome(arms=ARMS, wants=["time"]) if step.name == "plan" else Outcome()


class Driver:
    """Ends steps in random order, and notes what ran beside what."""

    def __init__(self, schedule: Schedule, decide: Decide = usual, seed: int = 0) -> None:
        self.schedule, self.decide, self.random = schedule, decide, random.Random(seed)
        self.running: list[Step] = []
        self.begun: list[Step] = []
        self.ended: list[Step] = []
        self.beside: dict[Step, list[Step]] = {}

    def begin(self) -> None:
        fresh = self.schedule.next()
        self.begun += fresh
        self.running += fresh
        for step in self.running:
            self.beside.setdefault(step, []).extend(other for other in self.running if other != step)

    def end(self, step: Step) -> None:
        self.running.remove(step)
        self.ended.append(step)
        self.schedule.ended(step, self.decide(step))

    def all(self) -> Driver:
        while not self.schedule.finished:
            self.begin()
            assert self.running, "nothing runs, and something is left"
            self.end(self.random.choice(self.running))
        return self

    def names(self, target: int = 0, arm: str | None = None) -> list[str]:
        return [step.name for step in self.ended if step.target == target and arm in (None, step.arm)]


def retimed(step: Step) -> Outcome:
    return Outcome(wants=["retime"]) if step.name == "time" else usual(step)


def test_the_steps_of_each_arm_follow_each_other() -> None:
    driver = Driver(Schedule(1, [""])).all()
    assert driver.names(arm="eager") == ["load", "reference"]
    assert driver.names(arm="before") == ["start", "load", "twin", "compile", "probe", "inspect", "bisect"]
    assert driver.names(arm="after") == [
        "start",
        "load",
        "rewritten",
        "differ",
        "compile",
        "probe",
        "inspect",
        "bisect",
    ]
    assert driver.names(arm="") == ["scout", "plan", "alone", "time", "judge"]


@pytest.mark.parametrize("seed", range(20))
def test_no_step_begins_before_what_it_waits_for(seed: int) -> None:
    driver = Driver(Schedule(3, ["cuda:0", "cuda:1"], beside=2), usual, seed).all()
    for target in range(3):
        order = [(step.arm, step.name) for step in driver.ended if step.target == target]
        for first, then in (
            (("eager", "load"), ("after", "load")),
            (("eager", "reference"), ("before", "twin")),
            (("eager", "reference"), ("after", "rewritten")),
            (("before", "twin"), ("after", "differ")),
            (("after", "compile"), ("", "time")),
            (("", "time"), ("before", "probe")),
            (("before", "bisect"), ("", "judge")),
        ):
            assert order.index(first) < order.index(then)


@pytest.mark.parametrize(("failing", "left"), [("eager", ["scout", "plan", "alone", "judge"]), ("before", None)])
def test_without_the_original_nothing_goes_on_and_without_another_arm_the_rest_does(
    failing: str, left: list[str] | None
) -> None:
    def decide(step: Step) -> Outcome:
        return Outcome(failed=True) if (step.arm, step.name) == (failing, "load") else usual(step)

    driver = Driver(Schedule(1, [""]), decide).all()
    if left is not None:
        assert driver.names(arm="") == left
        assert set(driver.names(arm="after")) <= {"start"}
    else:
        assert driver.names(arm="before") == ["start", "load"]
        assert driver.names(arm="after")[-1] == "bisect"


@pytest.mark.parametrize("seed", range(20))
def test_the_layers_of_an_arm_that_fails_are_tried_with_a_slot_and_before_others_are_timed(seed: int) -> None:
    def decide(step: Step) -> Outcome:
        failing = (step.arm, step.name) == ("after", "compile")
        return Outcome(failed=True, wants=["climb"]) if failing else usual(step)

    driver = Driver(Schedule(1, [""], slots=1), decide, seed).all()
    assert driver.names(arm="after") == ["start", "load", "rewritten", "differ", "compile", "climb"]
    order = [(step.arm, step.name) for step in driver.ended]
    assert order.index(("after", "climb")) < order.index(("", "time"))
    assert not any(other.name in ("twin", "compile", "probe") for other in driver.beside[Step(0, "after", "climb")])


def test_the_layers_of_an_arm_that_fails_late_are_tried_before_the_target_is_judged() -> None:
    def decide(step: Step) -> Outcome:
        failing = (step.arm, step.name) == ("before", "inspect")
        return Outcome(failed=True, wants=["climb"]) if failing else usual(step)

    order = [(step.arm, step.name) for step in Driver(Schedule(1, [""]), decide).all().ended]
    assert order.index(("before", "inspect")) < order.index(("before", "climb")) < order.index(("", "judge"))
    assert ("before", "bisect") not in order


@pytest.mark.parametrize("seed", range(20))
def test_fixes_are_chosen_when_the_original_has_run_though_other_arms_end_before(seed: int) -> None:
    def decide(step: Step) -> Outcome:
        return Outcome(failed=True) if step.arm in ("before", "after") else usual(step)

    driver = Driver(Schedule(1, [""]), decide, seed).all()
    done = [(step.arm, step.name) for step in driver.ended]
    assert done.index(("eager", "reference")) < done.index(("", "alone"))


def test_a_target_that_cannot_be_planned_is_judged() -> None:
    assert Driver(Schedule(1, [""]), lambda _: Outcome()).all().names() == ["scout", "plan", "alone", "judge"]


def test_arms_that_join_late_are_compiled_before_any_is_timed() -> None:
    def decide(step: Step) -> Outcome:
        return Outcome(arms=["fix:0", "fix:1"]) if step.name == "alone" else usual(step)

    order = [(step.arm, step.name) for step in Driver(Schedule(1, [""]), decide).all().ended]
    assert order.index(("fix:1", "compile")) < order.index(("", "time")) < order.index(("fix:0", "probe"))


@pytest.mark.parametrize("wants", [["time"], []], ids=["timed", "quick"])
@pytest.mark.parametrize("seed", range(5))
def test_of_all_fixes_but_one_only_breaks_and_results_count(wants: list[str], seed: int) -> None:
    joining = {"plan": Outcome(arms=ARMS, wants=wants), "alone": Outcome(arms=["but:0"])}
    driver = Driver(Schedule(1, [""]), lambda step: joining.get(step.name, Outcome()), seed).all()
    order = [(step.arm, step.name) for step in driver.ended]
    assert driver.names(arm="but:0") == ["start", "load", "rewritten", "differ", "compile"]
    for then in ("time", "judge"):
        assert (WHOLE, then) not in order or order.index(("but:0", "compile")) < order.index((WHOLE, then))


def test_no_more_compute_than_there_are_slots_and_one_target_is_timed_on_a_device() -> None:
    driver = Driver(Schedule(6, ["cuda:0", "cuda:1"], slots=3, beside=3), usual, 4).all()
    for step, others in driver.beside.items():
        if step.name == "time":
            devices = [driver.schedule.device_of(other.target) for other in others if other.name == "time"]
            assert driver.schedule.device_of(step.target) not in devices
    assert max(len(_with_slots(each)) for each in _moments(driver)) <= 3


def _with_slots(steps: Sequence[Step]) -> list[Step]:
    return [step for step in steps if HOLDS.get(step.name) == SLOT]


def _moments(driver: Driver) -> list[list[Step]]:
    """Which steps ran at the same time, whenever one had begun."""
    again = Driver(Schedule(6, ["cuda:0", "cuda:1"], slots=3, beside=3), usual, 4)
    found = []
    while not again.schedule.finished:
        again.begin()
        found.append(list(again.running))
        again.end(again.random.choice(again.running))
    return found


def test_no_more_targets_run_on_a_device_than_may() -> None:
    schedule = Schedule(8, ["cuda:0", "cuda:1"], slots=9, beside=2)
    driver = Driver(schedule)
    while not schedule.finished:
        driver.begin()
        running = Counter(schedule.device_of(target) for target in {step.target for step in driver.running})
        assert all(count <= 2 for count in running.values())
        driver.end(driver.random.choice(driver.running))


def test_who_is_timed_alone_runs_when_all_others_are_done() -> None:
    def decide(step: Step) -> Outcome:
        return retimed(step) if step.target in (0, 3) else usual(step)

    driver = Driver(Schedule(5, ["cuda:0", "cuda:1"], beside=2), decide, 1).all()
    assert all(not others for step, others in driver.beside.items() if step.name == "retime")
    judged = [step.target for step in driver.ended if step.name == "judge"]
    assert set(judged[:3]) == {1, 2, 4}


@pytest.mark.parametrize("beside", [1, 3])
def test_many_that_wait_have_their_turn_before_others_begin(beside: int) -> None:
    driver = Driver(Schedule(11, [""], beside=beside, waiting=4), retimed, 2).all()
    assert all(not others for step, others in driver.beside.items() if step.name == "retime")
    waiting, most = 0, 0
    for step in driver.ended:
        waiting += (step.name == "time") - (step.name == "retime")
        most = max(most, waiting)
    assert 4 <= most < 4 + beside  # those that run already may join


def test_all_that_wait_are_timed_before_one_of_them_goes_on() -> None:
    driver = Driver(Schedule(8, [""], beside=4, waiting=4), retimed, 3).all()
    steps = [step.name for step in driver.ended]
    before = steps[: steps.index("probe")]
    assert before.count("time") == before.count("retime") >= 4


def test_nothing_begins_once_it_is_stopped() -> None:
    schedule = Schedule(3, [""])
    assert schedule.next()
    schedule.stop()
    assert schedule.finished
    assert not schedule.next()


def test_a_request_may_take_a_multiple_of_what_it_took_elsewhere_but_not_of_the_original() -> None:
    deadlines = Deadlines(600.0)
    assert deadlines.seconds("after", "rewritten") == 600.0
    deadlines.note("eager", "reference", 5.0)
    assert deadlines.seconds("after", "rewritten") == 100.0
    assert deadlines.seconds("before", "rewritten") == 600.0
    deadlines.note("before", "compile", 1.0)
    assert deadlines.seconds("after", "compile") == 120.0
    assert deadlines.seconds("after", "strict") == 600.0
