"""Targets in all their forms, verified for real."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from breaklint.verify.command import exit_code, verify
from breaklint.verify.judge.results import TargetReport, Verdict, VerifyReport
from breaklint.verify.options import VerifyOptions
from breaklint.verify.report import WRITERS

Run = Callable[..., TargetReport]
FIXTURES = Path(__file__).parents[2] / "fixtures"
PASSED = {Verdict.CONFIRMED, Verdict.NOT_FASTER, Verdict.INCONCLUSIVE}
"""What the noise of a busy machine leaves open once break and results are right."""


@pytest.fixture(scope="module")
def print_shape(examine: Run) -> TargetReport:
    return examine(FIXTURES / "print-shape")


def test_a_fixture_shows_the_break_before_and_none_after(print_shape: TargetReport) -> None:
    before, after = print_shape.arms["before"], print_shape.arms["after"]
    assert [(Path(b.filename).name, b.row, b.gb, b.own) for b in before.breaks] == [("before.py", 14, "GB0059", True)]
    assert (before.graphs_per_call, after.graphs_per_call, after.breaks) == (2, 1, ())
    assert after.fullgraph is not None
    assert (before.fullgraph, after.fullgraph.ok) == (None, True)
    assert print_shape.verdict in PASSED


def test_every_arm_keeps_its_raw_samples(print_shape: TargetReport) -> None:
    assert {name: len(arm.samples_ms) for name, arm in print_shape.arms.items()} == dict.fromkeys(print_shape.arms, 3)
    assert print_shape.noise is not None


@pytest.mark.parametrize("form", WRITERS)
def test_reports_name_target_verdict_and_break(print_shape: TargetReport, form: str) -> None:
    text = WRITERS[form](VerifyReport(print_shape.environment, (print_shape,)))
    assert all(word in text for word in ("print-shape", print_shape.verdict.value, "GB0059"))


def test_the_json_report_has_the_documented_keys(print_shape: TargetReport) -> None:
    report = json.loads(WRITERS["json"](VerifyReport(print_shape.environment, (print_shape,))))
    target = report["targets"][0]
    arm = {"error", "breaks", "fullgraph", "graphs_per_call", "recompiles", "kernels", "compile_s", "samples_ms"}
    assert {"torch", "triton", "python", "device", "driver"} <= report["environment"].keys()
    assert {"target", "verdict", "why", "arms", "fixes", "findings"} <= target.keys()
    assert {"eager", "before", "after"} <= target["arms"].keys()
    assert arm | {"median_ms"} <= target["arms"]["after"].keys()
    assert target["findings"].keys() == {"confirmed", "not_confirmed", "missed"}


CACHE = """\
if self.place != x.data_ptr():
    self.place, self.mean = x.data_ptr(), (x * self.scale).mean()
return x + self.mean"""


def test_a_cache_by_the_address_of_the_last_input_is_seen(folder: Run, examine: Run) -> None:
    path = folder("print(x.shape)\nreturn x + (x * self.scale).mean()", CACHE)
    text = (path / "after.py").read_text()
    (path / "after.py").write_text(
        text.replace("self.scale = ", "self.place = self.mean = None\n        self.scale = ")
    )
    report = examine(path, quick=True)
    assert report.verdict is Verdict.WRONG_RESULT
    assert "in a second call on other values, output differs" in report.why


def test_an_interrupt_keeps_what_dynamo_has_found(folder: Run) -> None:
    path = folder("print(x.shape)\nreturn x * self.scale") / "before.py"

    def interrupt(line: str) -> None:
        if ": timing: " in line:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    options = VerifyOptions(devices=("cpu",), backend="eager", rounds=1000)
    (report,) = verify([f"{path}::Model"], options, interrupt).targets
    assert report.verdict is Verdict.INCONCLUSIVE
    assert report.why.startswith("interrupted; Dynamo alone: the breaks are gone, results are equal")
    assert [(b.row, b.gb) for b in report.arms["before"].breaks] == [(12, "GB0059")]
    assert report.arms["after"].breaks == ()
    assert [(fix.code, fix.verdict) for fix in report.fixes] == [("BRK101", Verdict.CORRECT)]
    shown = WRITERS["text"](VerifyReport({}, (report,)))
    assert "interrupted" in shown
    assert "BRK101 print-call: correct, the break is gone" in shown


def test_a_clean_model_that_writes_to_standard_output_disturbs_nothing(folder: Run, examine: Run) -> None:
    quiet = "if not torch.compiler.is_compiling():\n    os.write(1, b'{\"error\": 1}\\n')\nreturn x * self.scale"
    report = examine(folder(quiet))
    assert (report.verdict, report.arms["before"].error) == (Verdict.CLEAN, None)


def test_a_class_in_a_package_with_relative_imports(tmp_path: Path, examine: Run) -> None:
    package = tmp_path / "shop"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "parts.py").write_text("def double(x):\n    return x * 2\n")
    (package / "nets.py").write_text(
        "import torch\nfrom .parts import double\n\n\n"
        "class Doubler(torch.nn.Module):\n"
        "    def __init__(self, offset, *, factor=1.0):\n"
        "        super().__init__()\n"
        "        self.offset, self.factor = offset, factor\n\n"
        "    def forward(self, x, y=None):\n"
        "        return double(x) * self.factor + self.offset + y\n\n\n"
        "def get_init_inputs():\n    return [[1.0], {'factor': 3.0}]\n\n\n"
        "def get_inputs():\n    return [[torch.ones(3)], {'y': torch.ones(3)}]\n"
    )
    assert examine(f"{package}/nets.py::Doubler", quick=True).verdict is Verdict.CLEAN


def test_a_factory_in_training(tmp_path: Path, examine: Run) -> None:
    (tmp_path / "made.py").write_text(
        "import torch\n\n\ndef small():\n"
        "    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.5), torch.nn.BatchNorm1d(4))\n"
        "    return model, (torch.randn(8, 4),)\n"
    )
    report = examine(f"{tmp_path}/made.py:small", train=True)
    assert (report.verdict, report.arms["before"].differences) == (Verdict.CLEAN, ())


def test_a_git_revision_as_the_other_side(tmp_path: Path, folder: Run, examine: Run) -> None:
    file = folder('y = x * self.scale\nprint("hidden")\nreturn y + 1') / "before.py"
    net = tmp_path / "net.py"
    file.rename(net)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    other = tmp_path / "other.py"
    other.write_text("def sign(x):\n    return 1 if x.sum() > 0 else 2\n")
    for command in (["init", "-q"], ["add", "net.py", "other.py"], ["commit", "-qm", "Net"]):
        subprocess.run([*git, *command], check=True)
    net.write_text(net.read_text().replace('print("hidden")', "pass"))
    other.write_text(other.read_text().replace("else 2", "else -1"))
    report = examine(f"{net}::Model", before="HEAD", quick=True)
    assert [len(report.arms[name].breaks) for name in ("before", "after")] == [1, 0]
    assert report.verdict is Verdict.CORRECT
    assert report.branches == ()  # those of the other file are not the model's


def test_the_fixes_of_a_file_are_its_after(tmp_path: Path, examine: Run) -> None:
    source = (FIXTURES / "print-shape" / "before.py").read_text(encoding="utf-8")
    (tmp_path / "net.py").write_text(source, encoding="utf-8")
    report = examine(f"{tmp_path}/net.py::Encoder", quick=True)
    assert report.arms["after"].breaks == ()
    assert [(fix.break_removed, fix.equal) for fix in report.fixes] == [(True, True)]
    assert len(report.findings.confirmed) == 1
    assert report.findings.missed == ()


TWO_MODULES = """\
import torch


class Loud(torch.nn.Module):
    def forward(self, x):
        print("loud")
        return x


class Net(torch.nn.Module):
    def forward(self, x):
        print("net")
        return x * x.mean().item()


def get_inputs():
    return [torch.randn(4)]
"""


def test_of_a_file_with_several_modules_the_report_names_the_one_that_ran_and_its_fixes(
    tmp_path: Path, examine: Run
) -> None:
    (tmp_path / "net.py").write_text(TWO_MODULES, encoding="utf-8")
    report = examine(tmp_path / "net.py", quick=True)
    assert report.arms["eager"].notes == ("of the modules Loud, Net this is Net; name another as FILE.py::Class",)
    text = WRITERS["text"](VerifyReport({}, (report,)))
    file = tmp_path / "net.py"
    assert f"{file}:6 " not in text  # a fix of a class that never runs is no part of it
    assert f"  fixes  {file}:12 BRK101 print-call, :13 BRK201 tensor-item: " in text


def test_a_device_of_cuda_where_there_is_none_is_inconclusive(folder: Run, examine: Run) -> None:
    if pytest.importorskip("torch").cuda.is_available():
        pytest.skip("this machine has CUDA")
    report = examine(folder("return x"), devices=("cuda",))
    assert report.verdict is Verdict.INCONCLUSIVE
    assert "finds no CUDA device" in report.why
    assert exit_code(VerifyReport({}, (report,)), VerifyOptions()) == 3


@pytest.mark.slow
def test_inductor_compiles_both_arms_cold_and_counts_kernels(examine: Run) -> None:
    report = examine(FIXTURES / "ternary-on-sum", backend="inductor", timeout_s=300.0)
    before, after = report.arms["before"], report.arms["after"]
    assert (len(before.breaks), len(after.breaks)) == (1, 0)
    assert after.compile_s > 1  # type: ignore[operator]
    assert after.kernels >= 1  # type: ignore[operator]
    assert report.verdict in PASSED
