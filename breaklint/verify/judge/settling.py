"""When samples suffice: whether noise alone leaves the verdict open, and how many rounds to take."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from breaklint.verify.judge.bench import FEWEST, MUCH_NOISE, Judgement, Speedup, judge_speed
from breaklint.verify.judge.results import ArmReport, Retiming, Verdict
from breaklint.verify.judge.verdict import ReferenceProblems, judge_target
from breaklint.verify.options import VerifyOptions

CERTAIN = Speedup(1e9, (1e9, 1e9))
"""A gain that no noise hides."""
EARLY_DOUBT = 2.0
"""The result of half of the rounds must hold even if interval and noise were so many times as wide."""
RETIME_S = 20.0
"""Seconds for which a target is timed again, alone, if noise has left its verdict open."""

Judge = Callable[[Speedup | None, float | None], Judgement]


def undecided(judge: Judge, speed: Speedup | None, noise: float | None, doubt: float = 1.0) -> bool:
    """Whether only the measurement leaves the verdict open, with interval and noise `doubt` times as wide.

    In any doubt, a gain that is missed is left open as well.
    """
    left_open = (Verdict.INCONCLUSIVE, Verdict.NOT_FASTER) if doubt > 1.0 else (Verdict.INCONCLUSIVE,)
    verdict = judge(speed and _wider(speed, doubt), noise and noise * doubt)[0]
    return verdict in left_open and judge(CERTAIN, 0.0)[0] not in left_open


def is_open(
    arms: Mapping[str, ArmReport],
    problems: ReferenceProblems,
    speeds: Mapping[str, Speedup | None],
    noise: float | None,
    options: VerifyOptions,
    doubt: float = 1.0,
) -> bool:
    """Whether noise leaves a verdict open, or is large for a model without a break.

    `speeds` are those of `before` against each arm, `noise` is that of `before` against itself.
    """
    alone = [name for name in arms if name.startswith("fix:")]
    if "after" not in arms and not alone:
        breaks = judge_target(arms, problems, None, 0.0, options)[0] is Verdict.BREAK_REMAINS
        return not breaks and noise is not None and noise * doubt > MUCH_NOISE

    def of_target(speed: Speedup | None, noise: float | None) -> Judgement:
        return judge_target(arms, problems, speed, noise, options)

    def of_fix(speed: Speedup | None, noise: float | None) -> Judgement:
        return judge_speed("", speed, noise, options.min_speedup)

    judges: dict[str, Judge] = {name: of_fix for name in alone if not arms[name].is_wrong}
    if "after" in arms:
        judges["after"] = of_target
    return any(undecided(judge, speeds[name], noise, doubt) for name, judge in judges.items() if speeds.get(name))


def _wider(speed: Speedup, times: float) -> Speedup:
    low, high, least = (speed.ratio + times * (end - speed.ratio) for end in (*speed.interval, speed.at_least))
    return Speedup(speed.ratio, (low, high), least)


def take_rounds(
    take: Callable[[int], None],
    is_open: Callable[[float], bool],
    start_over: Callable[[], None],
    rounds: int,
    clock: Callable[[], float],
    budget_s: float,
) -> Retiming | None:
    """Take half of the rounds if they decide beyond doubt, else all. If noise leaves the verdict open, start over.

    Then each test has twice as many samples as the previous one: more frequent tests would find a gain by chance.
    Fewer rounds than `FEWEST` decide nothing either way.
    """
    began, count = clock(), min(rounds, max(FEWEST, rounds // 2))
    take(count)
    if count < rounds and is_open(EARLY_DOUBT):
        take(rounds - count)
        count = rounds
    round_s = max(1e-9, (clock() - began) / count)
    if rounds < FEWEST or not is_open(1.0) or rounds * round_s > budget_s:
        return None
    start_over()
    began, count = clock(), 0
    while (more := min(max(rounds, count), int((budget_s - (clock() - began)) / round_s))) >= rounds:
        take(more)
        count += more
        round_s = max(1e-9, (clock() - began) / count)
        if not is_open(1.0) or is_open(math.sqrt(count / max(count, budget_s / round_s)) / 2):
            break  # decided, or open even if further samples reduce noise twice as much as usual
    return Retiming(count, clock() - began)
