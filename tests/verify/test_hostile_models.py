"""How the end of an arm's process is told, and what keeps an arm from starting."""

from __future__ import annotations

import os
import signal
import threading
import venv
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from breaklint.verify.host.arm_process import ArmError, Worker
from breaklint.verify.host.arm_steps import setup_of
from breaklint.verify.host.processes import Launcher
from breaklint.verify.host.target_run import TargetRun
from breaklint.verify.judge.results import ArmFailure, TargetReport, Verdict
from breaklint.verify.options import VerifyOptions
from breaklint.verify.targets.sources import Source, location
from breaklint.verify.targets.targets import find_target

Run = Callable[..., TargetReport]


@contextmanager
def loaded(target: Path, scratch: Path) -> Iterator[Worker]:
    setup = setup_of(VerifyOptions(backend="eager"), "cpu", scratch)
    with worker_of("", scratch, 300.0) as worker:
        worker.ask("load", location=location(Source(find_target(str(target)), "")), setup=setup)
        yield worker


@contextmanager
def worker_of(python: str, scratch: Path, timeout_s: float) -> Iterator[Worker]:
    with (
        Launcher(python, "eager", on_cpu=True) as launcher,
        closing(Worker(launcher, scratch / "worker", timeout_s, {})) as worker,
    ):
        yield worker


@pytest.mark.parametrize(
    ("forward", "kind", "words"),
    [
        pytest.param("import ctypes\nctypes.string_at(0)", "crash", "SIGSEGV", id="segmentation fault"),
        pytest.param("sys.exit('bye')", "exit", "SystemExit: bye", id="sys.exit"),
        pytest.param("raise MemoryError('full')", "oom", "MemoryError: full", id="out of memory"),
        pytest.param("if os.fork():\n    os.wait()\nraise SystemExit('parent')", "exit", "parent", id="fork"),
    ],
)
def test_the_end_of_a_process_is_told_by_its_kind(
    folder: Run, tmp_path: Path, forward: str, kind: str, words: str
) -> None:
    with loaded(folder(forward), tmp_path) as worker, pytest.raises(ArmError) as raised:
        worker.ask("reference")
    assert (raised.value.failure.kind, words in raised.value.failure.message) == (kind, True)


def test_an_interpreter_without_torch_is_told_with_the_remedy(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", symlinks=True)
    python = str(tmp_path / "bare" / "bin" / "python")
    with (
        worker_of(python, tmp_path, 60.0) as worker,
        pytest.raises(ArmError, match="pip install torch, or name an interpreter") as raised,
    ):
        worker.ask("load", location={}, setup={})
    assert raised.value.failure.kind == "load"


def test_an_arm_can_be_ended_from_its_first_moment_on(tmp_path: Path) -> None:
    with Launcher("", "eager", on_cpu=True) as launcher, (tmp_path / "said").open("wb") as said:
        for _ in range(5):
            process = launcher.start({}, said)
            os.killpg(process.pid, signal.SIGKILL)
            assert process.wait(timeout=60) == -signal.SIGKILL


def test_a_hanging_arm_is_ended(folder: Run, tmp_path: Path) -> None:
    with loaded(folder("time.sleep(3600)"), tmp_path) as worker:
        worker._timeout_s = 2.0  # loading may take its time
        with pytest.raises(ArmError) as raised:
            worker.ask("reference")
    assert raised.value.failure == ArmFailure("timeout", "reference took longer than 2 s")


def test_a_fixture_whose_library_is_missing_is_inconclusive(tmp_path: Path, folder: Run, examine: Run) -> None:
    file = folder("return x") / "before.py"
    file.write_text("import no_such_library\n" + file.read_text())
    report = examine(tmp_path)
    assert report.verdict is Verdict.INCONCLUSIVE
    assert "a library is missing: ModuleNotFoundError: No module named 'no_such_library'" in report.why
    assert examine(f"{file}::Model").verdict is Verdict.ERROR


def test_an_arm_that_starts_when_the_original_is_done_is_waited_for(
    folder: Run, examine: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, start, reference = threading.Event(), TargetRun.start, TargetRun.reference

    def late(run: TargetRun, name: str) -> None:
        assert asked.wait(60)
        start(run, name)

    def noted(run: TargetRun, name: str) -> None:
        reference(run, name)
        asked.set()

    monkeypatch.setattr(TargetRun, "start", late)
    monkeypatch.setattr(TargetRun, "reference", noted)
    assert examine(f"{folder('return x * 2') / 'before.py'}::Model", quick=True).verdict is Verdict.CLEAN
