"""Rewrites that keep or lose what the given call does not show, verified in one run: every verdict is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hostile_rewrites import REWRITES, Rewrite
from hostile_rewrites_by_hand import MORE_REWRITES
from hostile_rewrites_in_a_row import FIFTH_ATTACK
from hostile_rewrites_numerics import THIRD_ATTACK
from hostile_rewrites_styles import FOURTH_ATTACK
from nightly import by_day, selected

from breaklint.verify.command import verify
from breaklint.verify.judge.results import TargetReport
from breaklint.verify.options import VerifyOptions

pytestmark = pytest.mark.slow
ALL = (*REWRITES, *MORE_REWRITES, *THIRD_ATTACK, *FOURTH_ATTACK, *FIFTH_ATTACK)
# One for each thing that is compared, and each way to call; further ones of the same at night.
BY_DAY = {
    "cell-not-updated", "dropout-removed", "double-backward-lost", "file-not-written", "rounding-at-a-boundary",
    "sixth-call", "warning-emitted-lost", "copy-fails", "compiler-config", "rank-not-checked", "old-checkpoints",
    "autocast-dtype",
}  # fmt: skip


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, TargetReport]:
    """The reports of the rewrites whose tests are run."""
    folder = tmp_path_factory.mktemp("rewrites")
    usual = VerifyOptions(devices=("cpu",), backend="eager", timeout_s=300.0, jobs=2, quick=True)
    chosen: list[Rewrite] = selected(request, "rewrite")
    found: dict[str, TargetReport] = {}
    for options in {str(rewrite.options): rewrite.options for rewrite in chosen}.values():
        targets = [str(rewrite.write(folder)) for rewrite in chosen if rewrite.options == options]
        report = verify(targets, replace(usual, **options), lambda line: None)
        found |= {Path(target.target).name: target for target in report.targets}
    return found


@pytest.mark.parametrize(
    "rewrite",
    by_day(
        (*REWRITES, *MORE_REWRITES, *THIRD_ATTACK, *FOURTH_ATTACK, *FIFTH_ATTACK), BY_DAY, lambda rewrite: rewrite.name
    ),
)
def test_the_verdict_is_right(reports: dict[str, TargetReport], rewrite: Rewrite) -> None:
    report = reports[rewrite.name]
    assert report.verdict.value == rewrite.verdict, report.why
    assert rewrite.words in report.why
    assert not rewrite.note or any(rewrite.note in note for note in report.arms["after"].notes)


def test_the_original_is_not_run_in_a_process_that_has_imported_the_other_side(
    tmp_path: Path, examine: Callable[..., TargetReport]
) -> None:
    (rewrite,) = (each for each in MORE_REWRITES if each.name == "thread-started")
    folder = rewrite.write(tmp_path)
    report = examine(folder / "after.py", before=str(folder / "before.py"), quick=True)
    assert report.verdict.value == rewrite.verdict, report.why
