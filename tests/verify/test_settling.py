"""What noise leaves undecided is timed again, alone, until it is decided or its budget is spent."""

from __future__ import annotations

from pathlib import Path

import pytest
from model_files import model
from noisy_machine import Machine, independent

from breaklint.dynamo.events import Break
from breaklint.verify.command import verify
from breaklint.verify.host import timing
from breaklint.verify.judge.bench import Speedup
from breaklint.verify.judge.results import ArmFailure, ArmReport, Retiming, Verdict
from breaklint.verify.judge.settling import EARLY_DOUBT, is_open, take_rounds
from breaklint.verify.judge.verdict import ReferenceProblems
from breaklint.verify.options import VerifyOptions

NO_PROBLEMS = ReferenceProblems()
FASTER, VAGUE = Speedup(1.5, (1.4, 1.6)), Speedup(1.1, (0.7, 1.6))
PRINT = Break("net.py", 7, "GB0059", "Failed to trace builtin operator: print", own=True)
WHOLE, BROKEN = ArmReport(), ArmReport(breaks=(PRINT,))
WRONG, LOST = ArmReport(differences=("output",)), ArmReport(error=ArmFailure("crash", "gone"))


@pytest.mark.parametrize(
    ("after", "speed", "noise", "options", "expected"),
    [
        pytest.param(WHOLE, VAGUE, 0.3, {}, True, id="lost in the noise"),
        pytest.param(WHOLE, FASTER, 0.01, {}, False, id="faster"),
        pytest.param(WHOLE, Speedup(5.3, (4.9, 6.6)), 0.28, {}, False, id="far faster than the noise"),
        pytest.param(BROKEN, VAGUE, 0.3, {}, False, id="a break remains"),
        pytest.param(BROKEN, VAGUE, 0.3, {"allow_break": ("GB0059",)}, True, id="an allowed one does"),
        pytest.param(WRONG, VAGUE, 0.3, {}, False, id="another result"),
        pytest.param(LOST, None, 0.3, {}, False, id="no speed at all"),
    ],
)
def test_only_what_the_samples_leave_open_is_timed_again(
    after: ArmReport, speed: Speedup | None, noise: float, options: dict[str, object], expected: bool
) -> None:
    arms = {"eager": WHOLE, "before": BROKEN, "after": after}
    asked = VerifyOptions(**options)  # type: ignore[arg-type]
    assert is_open(arms, NO_PROBLEMS, {"before": None, "after": speed}, noise, asked) is expected
    unstable = ReferenceProblems(unstable=("output",))
    assert not is_open(arms, unstable, {"after": speed}, noise, asked)


@pytest.mark.parametrize(
    ("before", "noise", "expected"),
    [
        pytest.param(WHOLE, 0.3, True, id="a clean model's poor figures"),
        pytest.param(WHOLE, 0.2, False, id="a clean model's good ones"),
        pytest.param(BROKEN, 0.3, False, id="a model that breaks and has no fix"),
    ],
)
def test_poor_figures_of_a_model_without_a_fix_are_taken_again_where_it_does_not_break(
    before: ArmReport, noise: float, expected: bool
) -> None:
    assert is_open({"eager": WHOLE, "before": before}, NO_PROBLEMS, {}, noise, VerifyOptions()) is expected


def test_a_fix_alone_that_noise_leaves_open_is_timed_again_though_another_break_remains() -> None:
    arms = {"eager": WHOLE, "before": BROKEN, "after": BROKEN, "fix:0": WHOLE}
    assert is_open(arms, NO_PROBLEMS, {"after": VAGUE, "fix:0": VAGUE}, 0.3, VerifyOptions())
    assert not is_open(arms | {"fix:0": WRONG}, NO_PROBLEMS, {"after": VAGUE, "fix:0": VAGUE}, 0.3, VerifyOptions())


def rounds_taken(rounds: int, is_open: bool, budget_s: float) -> tuple[list[int], Retiming | None]:
    """The numbers of rounds, of which each takes 0.1 s, if the samples never decide, or always do."""
    taken = list[int]()
    settled = take_rounds(
        taken.append, lambda doubt: is_open, lambda: taken.append(0), rounds, lambda: 0.1 * sum(taken), budget_s
    )
    return taken, settled


@pytest.mark.parametrize(("rounds", "early"), [(3, 3), (10, 10), (20, 10), (50, 25)])
def test_half_of_the_rounds_may_decide_but_not_fewer_than_ten(rounds: int, early: int) -> None:
    assert rounds_taken(rounds, False, 60.0) == ([early], None)


@pytest.mark.parametrize(
    ("rounds", "budget_s", "expected"),
    [(9, 60.0, [9]), (20, 1.9, [10, 10]), (20, 2.5, [10, 10, 0, 20]), (10, 0.9, [10])],
)
def test_a_second_series_is_taken_if_the_budget_allows_it(rounds: int, budget_s: float, expected: list[int]) -> None:
    assert rounds_taken(rounds, True, budget_s)[0] == expected


def test_the_samples_double_as_long_as_the_budget_lasts() -> None:
    taken = list[int]()
    opens = iter(lambda: not taken or sum(taken) < 500, None)
    take_rounds(
        taken.append, lambda doubt: next(opens) and doubt >= 1.0, taken.clear, 20, lambda: 0.1 * sum(taken), 12.5
    )
    assert taken == [20, 20, 40, 45]


@pytest.mark.parametrize(
    ("gain", "noise"), [(1.0, 0.01), (1.0, 0.05), (1.05, 0.01), (1.07, 0.01), (1.1, 0.05), (2.0, 0.2)]
)
def test_what_half_of_the_rounds_decide_all_of_them_confirm(gain: float, noise: float) -> None:
    for seed in range(20):
        machine = Machine(gain, independent(noise), seed)
        machine.take(10)
        if not machine.is_open(EARLY_DOUBT):
            machine.take(10)
            assert machine.verdict() is Verdict.CONFIRMED


def test_a_gain_far_beyond_the_noise_takes_half_of_the_rounds() -> None:
    machine = Machine(2.0, independent(0.05))
    machine.take(10)
    assert not machine.is_open(EARLY_DOUBT)


@pytest.mark.parametrize(
    ("gain", "noise", "verdict"),
    [(1.0, 0.2, Verdict.NOT_FASTER), (1.3, 0.3, Verdict.CONFIRMED), (5.0, 0.9, Verdict.CONFIRMED)],
)
def test_more_samples_decide_what_few_do_not(gain: float, noise: float, verdict: Verdict) -> None:
    machine = Machine(gain, independent(noise))
    settled = machine.settle(10, 40.0)
    assert machine.verdict() is verdict
    assert settled is not None
    assert len(machine.samples["after"]) == settled.rounds == round(settled.seconds / 0.1)
    assert machine.looks <= 8


def test_what_no_budget_decides_is_given_up_early() -> None:
    machine = Machine(1.02, independent(3.0))
    settled = machine.settle(10, 10.0)
    assert machine.verdict() is Verdict.INCONCLUSIVE
    assert settled is not None
    assert settled.seconds < 5.0  # at once, since no number of samples could decide it


# Each call takes 1 to 27 ms, by the microsecond at which it begins: no few samples can decide anything.
STRAYS = """\
y = x * self.scale
print("hidden")
time.sleep(0.001 * 3 ** (time.monotonic_ns() // 1_000 * 7919 % 4))
return y"""


@pytest.mark.slow
def test_a_target_that_noise_leaves_open_is_timed_again_within_its_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timing, "RETIME_S", 8.0)
    (tmp_path / "net.py").write_text(model(STRAYS))
    options = VerifyOptions(devices=("cpu",), backend="eager", rounds=10, allow_break=("*",))
    (report,) = verify([str(tmp_path / "net.py")], options, lambda line: None).targets
    samples = {name: len(arm.samples_ms) for name, arm in report.arms.items()}
    assert report.retimed is not None, report.why
    assert report.retimed.rounds >= 10
    assert set(samples.values()) == {report.retimed.rounds}
