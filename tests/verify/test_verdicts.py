from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from breaklint.dynamo.events import Break
from breaklint.model import Applicability, Effect, Finding, Fix, Position, Severity, Span
from breaklint.verify.judge import bench
from breaklint.verify.judge.bench import Speedup, judge_speed
from breaklint.verify.judge.results import (
    ArmFailure,
    ArmReport,
    Gate,
    Operations,
    TargetReport,
    Verdict,
    VerifyReport,
)
from breaklint.verify.judge.verdict import ReferenceProblems, exit_code, judge_fix, judge_target
from breaklint.verify.options import VerifyOptions

NO_PROBLEMS, UNSTABLE = ReferenceProblems(), ReferenceProblems(["output differs"])
PRINT = Break("net.py", 7, "GB0059", "Failed to trace builtin operator: print", own=True)
FASTER, SAME, SLOWER = Speedup(1.5, (1.4, 1.6)), Speedup(1.0, (0.98, 1.02)), Speedup(0.8, (0.78, 0.82))
WIDE = Speedup(1.1, (0.7, 1.6))
BROKEN, WHOLE = ArmReport(breaks=(PRINT,)), ArmReport(fullgraph=Gate(True, None))
TIMEOUT, CRASH = ArmReport(error=ArmFailure("timeout", "too long")), ArmReport(error=ArmFailure("crash", "gone"))
DIFFERS, REWRITES = ArmReport(differences=("output differs",)), ArmReport(rewrite_differences=("output differs",))
UNSEEN = replace(WHOLE, graphs_per_call=0, operations=Operations(0, 2))
PARTED = replace(BROKEN, operations=Operations(2, 0))
BESIDE = replace(WHOLE, graphs_per_call=1, operations=Operations(1, 4))
STRICT = ArmReport(fullgraph=Gate(False, "Unsupported: something"))


@pytest.mark.parametrize(
    ("after", "speed", "noise", "verdict"),
    [
        pytest.param(WHOLE, FASTER, 0.01, "confirmed", id="faster"),
        pytest.param(WHOLE, SAME, 0.01, "not-faster", id="as fast"),
        pytest.param(WHOLE, SLOWER, 0.01, "not-faster", id="slower"),
        pytest.param(WHOLE, WIDE, 0.5, "inconclusive", id="noisy machine"),
        pytest.param(WHOLE, WIDE, 0.01, "inconclusive", id="one arm was disturbed"),
        pytest.param(WHOLE, FASTER, 0.9, "inconclusive", id="faster but within the noise"),
        pytest.param(WHOLE, Speedup(24.9, (6.2, 63.6)), 4.8, "confirmed", id="faster than a machine gone mad"),
        pytest.param(WHOLE, Speedup(5.26, (4.86, 6.59)), 0.28, "confirmed", id="far faster than much noise"),
        pytest.param(WHOLE, Speedup(5.26, (1.2, 6.59)), 0.28, "inconclusive", id="perhaps as slow as much noise"),
        pytest.param(WHOLE, Speedup(2.36, (1.01, 5.49)), 0.2, "inconclusive", id="faster by an unknown amount"),
        pytest.param(WHOLE, SLOWER, 4.8, "inconclusive", id="slower on a machine gone mad"),
        pytest.param(WHOLE, None, None, "inconclusive", id="not timed"),
        pytest.param(BROKEN, FASTER, 0.01, "break-remains", id="still breaks"),
        pytest.param(STRICT, FASTER, 0.01, "break-remains", id="strict gate fails"),
        pytest.param(UNSEEN, FASTER, 0.01, "not-compiled", id="nothing compiled, and torch's gates pass it"),
        pytest.param(replace(UNSEEN, operations=None), FASTER, 0.01, "not-compiled", id="no graph runs"),
        pytest.param(replace(UNSEEN, graphs_per_call=1), FASTER, 0.01, "not-compiled", id="another's graph runs"),
        pytest.param(BESIDE, FASTER, 0.01, "break-remains", id="operations beside the graph"),
        pytest.param(
            replace(UNSEEN, operations=Operations(0, 0)), FASTER, 0.01, "not-compiled", id="no operation runs any more"
        ),
        pytest.param(DIFFERS, FASTER, 0.01, "wrong-result", id="compiled result differs"),
        pytest.param(REWRITES, FASTER, 0.01, "wrong-result", id="rewritten source differs"),
        pytest.param(replace(UNSEEN, differences=("drawn",)), FASTER, 0.01, "not-compiled", id="differs uncompiled"),
        pytest.param(
            replace(UNSEEN, rewrite_differences=("drawn",)), FASTER, 0.01, "wrong-result", id="rewritten and uncompiled"
        ),
        pytest.param(CRASH, None, None, "error", id="crash"),
        pytest.param(TIMEOUT, None, None, "inconclusive", id="timeout"),
    ],
)
def test_the_verdict_of_a_fixed_target(after: ArmReport, speed: Any, noise: Any, verdict: str) -> None:
    arms = {"eager": ArmReport(), "before": PARTED, "after": after}
    assert judge_target(arms, NO_PROBLEMS, speed, noise, VerifyOptions())[0].value == verdict


@pytest.mark.parametrize(
    ("before", "speed", "verdict"),
    [
        pytest.param(WHOLE, FASTER, "clean", id="compiling pays"),
        pytest.param(WHOLE, SLOWER, "clean", id="compiling does not pay"),
        pytest.param(WHOLE, WIDE, "clean", id="noise"),
        pytest.param(WHOLE, SAME, "clean", id="as fast as eager"),
        pytest.param(BROKEN, FASTER, "break-remains", id="breaks without a fix"),
        pytest.param(UNSEEN, FASTER, "not-compiled", id="nothing compiled"),
        pytest.param(BESIDE, FASTER, "clean", id="operations beside the graph, as ever"),
        pytest.param(DIFFERS, FASTER, "wrong-result", id="compiling changes the result"),
    ],
)
def test_the_verdict_of_a_target_with_nothing_to_fix(before: ArmReport, speed: Any, verdict: str) -> None:
    assert (
        judge_target({"eager": ArmReport(), "before": before}, NO_PROBLEMS, speed, 0.02, VerifyOptions())[0].value
        == verdict
    )


@pytest.mark.parametrize(
    ("after", "verdict"),
    [(WHOLE, "correct"), (BROKEN, "break-remains"), (DIFFERS, "wrong-result")],
    ids=["whole", "broken", "wrong"],
)
def test_without_timing_a_target_is_correct_at_best(after: ArmReport, verdict: str) -> None:
    arms = {"eager": ArmReport(), "before": BROKEN, "after": after}
    assert judge_target(arms, NO_PROBLEMS, None, None, VerifyOptions(quick=True))[0].value == verdict


def test_an_unstable_model_is_inconclusive_however_fast() -> None:
    arms = {"eager": ArmReport(), "before": BROKEN, "after": WHOLE}
    assert judge_target(arms, UNSTABLE, FASTER, 0.01, VerifyOptions())[0] is Verdict.INCONCLUSIVE


def test_an_allowed_break_may_stay() -> None:
    arms = {"eager": ArmReport(), "before": BROKEN, "after": BROKEN}
    assert judge_target(arms, NO_PROBLEMS, FASTER, 0.01, VerifyOptions(allow_break=("GB0059",)))[0] is Verdict.CONFIRMED


@pytest.mark.parametrize(
    ("real", "still", "moved", "verdict"),
    [
        pytest.param(True, [], [], "confirmed", id="gone"),
        pytest.param(None, [], [], "confirmed", id="no break was claimed"),
        pytest.param(False, [], [], "inconclusive", id="never broke"),
        pytest.param(True, [PRINT], [], "break-remains", id="still there"),
        pytest.param(True, [], [PRINT], "break-remains", id="elsewhere"),
    ],
)
def test_the_verdict_of_one_fix(real: Any, still: list[Break], moved: list[Break], verdict: str) -> None:
    judged = judge_fix(WHOLE, BROKEN, NO_PROBLEMS, real, None, still, moved, FASTER, 0.01, VerifyOptions())
    assert judged[0].value == verdict


def test_a_fix_after_which_nothing_is_compiled_fixes_nothing() -> None:
    judged = judge_fix(UNSEEN, BROKEN, NO_PROBLEMS, True, None, [], [], FASTER, 0.01, VerifyOptions())
    assert judged == (Verdict.NOT_COMPILED, "with this fix: nothing is compiled, a call runs no graph")


def test_a_demanded_speedup_must_lie_below_the_whole_interval() -> None:
    assert judge_speed("", FASTER, 0.01, 0.3)[0] is Verdict.CONFIRMED
    assert judge_speed("", FASTER, 0.01, 0.45)[0] is Verdict.NOT_FASTER


@pytest.mark.parametrize(("high", "verdict"), [(0.6, Verdict.NOT_FASTER), (0.9, Verdict.INCONCLUSIVE)])
def test_much_noise_leaves_open_only_what_it_can_explain(high: float, verdict: Verdict) -> None:
    assert judge_speed("", Speedup(high, (high, high)), 0.3, None)[0] is verdict


@pytest.mark.parametrize(
    ("verdicts", "demanded", "code"),
    [
        (["confirmed", "correct", "clean", "not-faster"], None, 0),
        (["confirmed", "not-faster"], 0.1, 1),
        (["confirmed", "break-remains"], None, 1),
        (["wrong-result", "inconclusive"], None, 1),
        (["confirmed", "inconclusive"], None, 3),
        (["error", "break-remains", "inconclusive"], None, 2),
        ([], None, 0),
    ],
)
def test_the_exit_code_is_that_of_the_gravest_target(verdicts: list[str], demanded: float | None, code: int) -> None:
    arms = {"before": WHOLE, "after": WHOLE}
    targets = tuple(TargetReport("t", Verdict(verdict), "", arms=arms) for verdict in verdicts)
    assert exit_code(VerifyReport({}, targets), VerifyOptions(min_speedup=demanded)) == code


def test_every_order_of_the_arms_in_a_round_is_equally_probable() -> None:
    order: list[str] = []

    def sampler(name: str) -> bench.Sampler:
        return lambda: float(len(order.append(name) or order))  # type: ignore[func-returns-value]

    samples = bench.interleave({name: sampler(name) for name in "abc"}, 600, random.Random(0))
    orders = Counter("".join(order[at : at + 3]) for at in range(0, 1800, 3))
    assert set(orders) == {"abc", "acb", "bac", "bca", "cab", "cba"}
    assert all(70 <= count <= 130 for count in orders.values())
    assert samples["a"] == [at + 1 for at, name in enumerate(order) if name == "a"]


@pytest.mark.parametrize(
    ("rounds", "interval", "at_least"),
    [(3, (1, 3), 0), (9, (2, 8), 0), (10, (2, 9), 1), (20, (6, 15), 3), (80, (31, 50), 26)],
)
def test_the_ends_of_an_interval_are_ratios_of_rounds(rounds: int, interval: tuple[int, int], at_least: int) -> None:
    """By tables of the binomial distribution: at most 1, 5 and 30 heads in 10, 20 and 80 tosses have 2.5 %."""
    ratios = [float(ratio) for ratio in range(1, rounds + 1)]
    speed = bench.speedup(ratios, [1.0] * rounds)
    assert speed == Speedup((1 + rounds) / 2, interval, at_least)


def test_noise_is_how_far_an_arm_deviates_from_itself() -> None:
    assert bench.noise(Speedup(1.0, (0.96, 1.01))) == pytest.approx(0.04)
    assert bench.noise(None) is None


def finding(row: int, fix: Fix | None) -> Finding:
    span = Span(Position(row, 1), Position(row, 9))
    return Finding("net.py", span, "BRK101", "print-call", "", Effect.BREAK, Severity.ERROR, "")._replace(fix=fix)


@pytest.mark.parametrize(
    ("findings", "words"),
    [
        ([finding(7, None)], ", and check has no fix for it"),
        ([finding(7, Fix(Applicability.SAFE, "", "", ()))], ""),
        ([finding(8, None)], ", which check does not report"),
    ],
    ids=["no fix", "a fix that is not made", "not reported"],
)
def test_what_check_says_of_a_break_that_remains(findings: list[Finding], words: str) -> None:
    arms = {"eager": ArmReport(), "before": BROKEN}
    verdict, why = judge_target(arms, NO_PROBLEMS, None, None, VerifyOptions(), findings)
    assert (verdict, why.partition(")")[2]) == (Verdict.BREAK_REMAINS, words)
