"""Verdicts on recorded results of arms: fixtures on an H200, judged without running torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from breaklint.verify.judge.bench import Speedup
from breaklint.verify.judge.results import TargetReport, Verdict
from breaklint.verify.judge.verdict import ReferenceProblems, judge_target
from breaklint.verify.options import VerifyOptions
from breaklint.verify.report.json import read

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.json"))
TARGETS = [(file.stem, target) for file in RECORDED for target in read(str(file)).targets]


@pytest.mark.parametrize(("mode", "target"), TARGETS, ids=[f"{mode}-{target.target}" for mode, target in TARGETS])
def test_the_verdict_on_a_recorded_target_is_as_it_was(mode: str, target: TargetReport) -> None:
    speed = Speedup(target.speedup, target.interval) if target.speedup and target.interval else None
    verdict, why = judge_target(target.arms, ReferenceProblems(), speed, target.noise, VerifyOptions(mode=mode))
    assert verdict is target.verdict, why


def test_verdicts_of_all_usual_kinds_are_recorded() -> None:
    assert {target.verdict for _, target in TARGETS} == {
        Verdict.CONFIRMED,
        Verdict.CLEAN,
        Verdict.NOT_FASTER,
        Verdict.BREAK_REMAINS,
        Verdict.WRONG_RESULT,
    }
