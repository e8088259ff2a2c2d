"""The fix of one finding is judged with the effects of the others known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from model_files import model

from breaklint.verify.judge.results import ArmReport, TargetReport, Verdict
from breaklint.verify.report.wording import speed_stands_out

GIVEN_UP = """\
rows = []
for i in range(3):
    with torch.no_grad():
        print("in a loop")
    rows.append(x * self.scale * i)
print("later")
return torch.stack(rows)"""


@pytest.mark.slow
def test_a_line_that_dynamo_traces_only_with_the_other_fixes_is_judged_with_them(
    tmp_path: Path, examine: Callable[..., TargetReport]
) -> None:
    (tmp_path / "net.py").write_text(model(GIVEN_UP))
    report = examine(tmp_path / "net.py", quick=True)
    assert [fix.verdict for fix in report.fixes] == [Verdict.CORRECT, Verdict.CORRECT], report.why
    (row,) = (number for number, line in enumerate((tmp_path / "net.py").read_text().splitlines(), 1) if "loop" in line)
    assert report.fixes[1].why.startswith("its line does not break, results are equal")
    assert f"(with all 2 fixes); without them, Dynamo gave the frame of forward up at {tmp_path}/net.py:{row}" in (
        report.fixes[1].why
    )
    assert (report.fixes[1].arm, report.fixes[1].break_removed) == ("after", None)


INLINED = """
def step(x):
    sys.stdout.write("a line")
    return x + 1
for _ in range(2):
    x = step(x)
if x.sum() > 0:
    y = x + 1
else:
    y = x - 1
return y * self.scale
"""


@pytest.mark.slow
def test_a_line_behind_a_frame_that_an_inlined_call_gave_up_names_that_frame(
    tmp_path: Path, examine: Callable[..., TargetReport]
) -> None:
    (tmp_path / "net.py").write_text(model(INLINED))
    report = examine(tmp_path / "net.py", quick=True)
    (fix,) = (fix for fix in report.fixes if fix.code == "BRK301")
    row = 1 + (tmp_path / "net.py").read_text().splitlines().index("            x = step(x)")
    assert f"Dynamo gave the frame of forward up at {tmp_path}/net.py:{row}, for the break at" in fix.why


@pytest.mark.slow
def test_what_a_wrong_result_has_decided_is_not_timed(tmp_path: Path, examine: Callable[..., TargetReport]) -> None:
    (tmp_path / "before.py").write_text(model("print(x.shape)\nreturn x * self.scale"))
    (tmp_path / "after.py").write_text(model("return x * self.scale + 1"))
    report = examine(tmp_path)
    assert report.verdict is Verdict.WRONG_RESULT
    assert not any(arm.samples_ms for arm in report.arms.values())


@pytest.mark.parametrize(
    ("ratio", "noise", "shown"),
    [(1.5, 0.02, True), (1.1, 0.2, False), (1.78, 9.64, False), (0.7, 0.1, True), (1.5, None, True)],
)
def test_a_speed_stands_by_itself_only_beyond_a_small_noise(ratio: float, noise: float | None, shown: bool) -> None:
    report = TargetReport("t", Verdict.CONFIRMED, "", {"after": ArmReport()}, noise=noise)
    assert speed_stands_out(replace(report, speedup=ratio)) == shown
