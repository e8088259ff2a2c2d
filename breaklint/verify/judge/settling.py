"""When samples suffice: is the verdict decided except for noise, and how many rounds more are worth their time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from breaklint.verify.judge.bench import FEWEST, MUCH_NOISE, Judgement, judge_speed
from breaklint.verify.judge.results import ArmReport, Settled, Speedup, Verdict
from breaklint.verify.judge.verdict import ReferenceProblems, judge_target
from breaklint.verify.options import VerifyOptions

CERTAIN = Speedup(1e9, (1e9, 1e9))
"""A gain that no noise hides."""
EARLY_DOUBT = 2.0
"""What half of the rounds say must hold though interval and noise were so many times as wide."""

Judge = Callable[[Speedup | None, float | None], Judgement]


def undecided(judge: Judge, speed: Speedup | None, noise: float | None, doubt: float = 1.0) -> bool:
    """Is it only the measurement that leaves the verdict open?

    Args:
        judge: gives the verdict for a speedup and a noise, all else being known.
        speed: as measured.
        noise: as measured.
        doubt: how many times as wide both are taken to be; in any doubt, a gain that is missed is left open as well.
    """
    left_open = (Verdict.INCONCLUSIVE, Verdict.NOT_FASTER) if doubt > 1.0 else (Verdict.INCONCLUSIVE,)
    told = judge(speed and _wider(speed, doubt), noise and noise * doubt)[0]
    return told in left_open and judge(CERTAIN, 0.0)[0] not in left_open


def is_open(
    arms: Mapping[str, ArmReport],
    problems: ReferenceProblems,
    speeds: Mapping[str, Speedup | None],
    noise: float | None,
    options: VerifyOptions,
    doubt: float = 1.0,
) -> bool:
    """Does noise leave the verdict on the target or on a fix open, or say little about a model without a break?

    Args:
        arms: as far as they have come.
        problems: of the original.
        speeds: before against each arm.
        noise: before against itself.
        options: the user's demands.
        doubt: as `undecided` takes it.
    """
    alone = [name for name in arms if name.startswith("fix:")]
    if "after" not in arms and not alone:
        breaks = judge_target(arms, problems, None, 0.0, options)[0] is Verdict.BREAK_REMAINS
        return not breaks and noise is not None and noise * doubt > MUCH_NOISE

    def of_target(speed: Speedup | None, noise: float | None) -> Judgement:
        return judge_target(arms, problems, speed, noise, options)

    def of_fix(speed: Speedup | None, noise: float | None) -> Judgement:
        return judge_speed("", speed, noise, options.min_speedup)

    right = [name for name in alone if not (arms[name].differences or arms[name].rewrite_differences)]
    judges: dict[str, Judge] = dict.fromkeys(right, of_fix)
    if "after" in arms:
        judges["after"] = of_target
    return any(undecided(judge, speeds[name], noise, doubt) for name, judge in judges.items() if speeds.get(name))


def _wider(speed: Speedup, times: float) -> Speedup:
    low, high, least = (speed.ratio + times * (end - speed.ratio) for end in (*speed.interval, speed.at_least))
    return Speedup(speed.ratio, (low, high), least)


def usual_rounds(rounds: int, is_open: Callable[[float], bool]) -> Iterator[int]:
    """How many of the rounds to take: half of them, and the others where these leave any doubt."""
    early = min(rounds, max(FEWEST, rounds // 2))
    yield early
    if early < rounds and is_open(EARLY_DOUBT):
        yield rounds - early


def rounds_worth(taken: int, least: int, seconds_a_round: float, left_s: float) -> int:
    """How many rounds to take next: as many as there are, so that each look at them has twice the samples.

    Looking more often would sooner or later find by chance what is looked for. 0 where the time left does not suffice
    for `least` rounds.
    """
    fitting = int(left_s / seconds_a_round) if seconds_a_round > 0 else least
    return min(max(least, taken), fitting) if fitting >= least else 0


def settle(
    take: Callable[[int], None],
    is_open: Callable[[float], bool],
    clock: Callable[[], float],
    least: int,
    seconds_a_round: float,
    budget_s: float,
) -> Settled:
    """Take rounds of samples until they decide, or until `budget_s` seconds do not suffice for more.

    Args:
        take: takes so many more rounds.
        is_open: do the samples so far leave the verdict open, with interval and noise taken so many times as wide?
        clock: the time in seconds.
        least: the fewest rounds that are worth a look.
        seconds_a_round: how long one took before.
        budget_s: how long all may take.
    """
    began, taken = clock(), 0
    while rounds := rounds_worth(taken, least, seconds_a_round, budget_s - (clock() - began)):
        take(rounds)
        taken += rounds
        seconds_a_round = (clock() - began) / taken
        affordable = budget_s / seconds_a_round if seconds_a_round > 0 else math.inf
        if not is_open(1.0) or is_open(math.sqrt(taken / max(taken, affordable)) / 2):
            break  # decided, or open even if what is left shrinks noise twice as much as samples usually do
    return Settled(taken, clock() - began)
