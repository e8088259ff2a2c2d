"""Models that hang, crash, cheat or differ, verified in one run: every verdict is right, none wrongly `confirmed`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile_set import BENCHMARK_ONLY, HOSTILE, Hostile
from nightly import by_day, selected

from breaklint.verify.command import verify
from breaklint.verify.host import deadlines
from breaklint.verify.judge.results import TargetReport
from breaklint.verify.options import VerifyOptions

pytestmark = pytest.mark.slow
MODELS = [hostile for hostile in HOSTILE if hostile.name not in BENCHMARK_ONLY]
ALWAYS = {"exit-status", "break-in-a-loop", "print-swallowed", "print-guarded"}  # the tests below look closer at these
# A process that does not end, wrong gradients and state, what is not compiled, and a comparison that is tricked.
BY_DAY = ALWAYS | {"hang", "nan-gradients", "attribute-not-updated", "never-compiled", "forged-records", "slow-clock"}


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, TargetReport]:
    """The reports of the models whose tests are run."""
    folder = tmp_path_factory.mktemp("hostile")
    options = VerifyOptions(devices=("cpu",), backend="eager", rounds=3, timeout_s=300.0, jobs=3)
    chosen = {hostile.name: hostile for hostile in MODELS if hostile.name in ALWAYS}
    chosen |= {hostile.name: hostile for hostile in selected(request, "hostile")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(deadlines.FLOORS, "rewritten", 6.0)  # "hang" is waited for
        report = verify([str(hostile.write(folder)) for hostile in chosen.values()], options, lambda line: None)
    return {Path(target.target).name: target for target in report.targets}


@pytest.mark.parametrize("hostile", by_day(MODELS, BY_DAY, lambda hostile: hostile.name))
def test_the_verdict_is_right(reports: dict[str, TargetReport], hostile: Hostile) -> None:
    report = reports[hostile.name]
    assert report.verdict.value in hostile.verdicts, report.why
    assert hostile.words in report.why


def test_only_models_of_the_set_are_left_to_the_benchmark() -> None:
    assert {hostile.name for hostile in HOSTILE} >= BENCHMARK_ONLY >= {h.name for h in HOSTILE if h.cuda_only}


def test_a_crashing_arm_ends_alone(reports: dict[str, TargetReport]) -> None:
    arms = reports["exit-status"].arms
    assert (arms["before"].error, len(arms["before"].breaks)) == (None, 1)
    assert arms["after"].error is not None
    assert arms["after"].error.kind == "crash"


def test_a_break_in_a_loop_gives_up_the_frame(reports: dict[str, TargetReport]) -> None:
    before = reports["break-in-a-loop"].arms["before"]
    assert [(broken.gb, broken.skips_frame) for broken in before.breaks] == [("GB0059", True)]
    assert before.fullgraph is not None
    assert not before.fullgraph.ok


def test_a_swallowed_print_is_noted(reports: dict[str, TargetReport]) -> None:
    note = "it prints nothing where the original prints 'hidden\\n'"
    assert reports["print-swallowed"].arms["after"].notes == (note,)
    assert reports["print-guarded"].arms["after"].notes == ()
