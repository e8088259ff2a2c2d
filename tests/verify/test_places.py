"""Where arms run: forked from one process, stopped while others are timed."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import arm_servers
import pytest
from model_files import model

from breaklint.verify.host import processes
from breaklint.verify.host.arm_process import ArmError, Worker
from breaklint.verify.host.devices import Place
from breaklint.verify.host.processes import Launcher
from breaklint.verify.targets.sources import Source, location
from breaklint.verify.targets.targets import find_target

WRITES = """\
for _ in range(200):
    with open("TICKS", "a") as out: out.write(".")
    time.sleep(0.02)
return x"""
SETUP = {"device": "cpu", "backend": "eager", "mode": None, "dynamic": None, "train": False, "seed": 0}


def parent_of(pid: int) -> int:
    return int(subprocess.run(["ps", "-o", "ppid=", "-p", str(pid)], capture_output=True, text=True).stdout)


def place(launcher: Launcher, device: str = "cpu") -> Place:
    return Place(device, launcher)


def test_arms_are_forked_from_one_process_and_killed_one_by_one(tmp_path: Path) -> None:
    with Launcher("", "eager", on_cpu=True) as launcher, ExitStack() as stack:
        here = place(launcher)
        one, other = (stack.enter_context(here.arm(tmp_path / name, 60.0)) for name in ("one", "other"))
        parents = {parent_of(arm._process.pid) for arm in (one, other)}
        assert len(parents) == 1
        assert os.getpid() not in parents
        one.close()
        os.kill(other._process.pid, 0)  # raises if it is gone


def test_an_arm_leaves_the_folder_of_its_target_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "")
    (tmp_path / "whole.py").write_text("import part\n" + model("return x"))
    (tmp_path / "part.py").write_text("")
    source = Source(find_target(str(tmp_path / "whole.py")), "import part\n" + model("return x"))
    with Launcher("", "eager", on_cpu=True) as launcher, place(launcher).arm(tmp_path / "arm", 60.0) as arm:
        arm.ask("load", location=location(source), setup=SETUP | {"reference": str(tmp_path / "reference.pt")})
    assert not list(tmp_path.rglob("*.pyc"))


def test_while_an_arm_is_timed_the_others_stand_still(tmp_path: Path) -> None:
    ticks = tmp_path / "ticks"
    (tmp_path / "busy.py").write_text(model(WRITES.replace("TICKS", str(ticks))))
    source = Source(find_target(str(tmp_path / "busy.py")), "")
    with Launcher("", "eager", on_cpu=True) as launcher:
        here = place(launcher)
        with here.arm(tmp_path / "busy", 60.0) as busy, here.arm(tmp_path / "timed", 60.0) as timed:
            busy.ask("load", location=location(source), setup=SETUP | {"reference": str(tmp_path / "reference.pt")})
            asked = threading.Thread(target=_ask_for_reference, args=(busy,))
            asked.start()
            while not ticks.exists():
                assert asked.is_alive(), "the arm answered without a tick"
                time.sleep(0.05)
            with here.alone([timed]):
                time.sleep(0.3)
                before = ticks.stat().st_size
                time.sleep(1.0)
                assert ticks.stat().st_size == before
            assert busy.stopped_between(-math.inf, math.inf) > 1.0
            while ticks.stat().st_size == before:
                assert asked.is_alive(), "the arm answered without another tick"
                time.sleep(0.05)
        asked.join(timeout=60)


def _ask_for_reference(arm: Worker) -> None:
    with suppress(ArmError):  # it is ended before it has answered
        arm.ask("reference")


def test_pauses_count_only_where_they_overlap(tmp_path: Path) -> None:
    (tmp_path / "quick.py").write_text(model("return x"))
    source = Source(find_target(str(tmp_path / "quick.py")), "")
    with Launcher("", "eager", on_cpu=True) as launcher, place(launcher).arm(tmp_path / "arm", 60.0) as arm:
        arm.ask("load", location=location(source), setup=SETUP | {"reference": str(tmp_path / "reference.pt")})
        start = time.monotonic()
        arm.pause()
        paused = time.monotonic()
        time.sleep(0.2)
        middle = time.monotonic()
        time.sleep(0.2)
        waited = time.monotonic()
        arm.resume()
        end = time.monotonic()
        assert middle - paused <= arm.stopped_between(start, middle) <= middle - start
        assert waited - middle <= arm.stopped_between(middle, end) <= end - middle
        assert arm.stopped_between(end, end + 9) == 0.0


def test_time_in_which_an_arm_was_stopped_does_not_count_towards_its_limit(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(model("time.sleep(0.05)\nreturn x"))
    source = Source(find_target(str(tmp_path / "slow.py")), "")
    with Launcher("", "eager", on_cpu=True) as launcher, place(launcher).arm(tmp_path / "slow", 20.0) as arm:
        arm.ask("load", location=location(source), setup=SETUP | {"reference": str(tmp_path / "reference.pt")})
        arm._timeout_s = 3.0
        threading.Timer(4.0, arm.resume).start()
        arm.pause()
        assert arm.ask("reference")["exception"] is None


@pytest.mark.parametrize(
    ("device", "visible", "expected"),
    [
        ("cuda:1", "", {"CUDA_VISIBLE_DEVICES": "1"}),
        ("cuda:1", "4,6", {"CUDA_VISIBLE_DEVICES": "6"}),
        ("cuda", "4,6", {}),
        ("cpu", "", {}),
    ],
)
def test_an_arm_sees_no_other_device_than_its_own(
    monkeypatch: pytest.MonkeyPatch, device: str, visible: str, expected: dict[str, str]
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert Place(device, None).env == expected  # type: ignore[arg-type]


def test_an_arm_is_started_plainly_where_the_process_that_forks_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "Server", arm_servers.start)  # one that no other test uses
    with Launcher("", "eager") as launcher:
        assert launcher._server is not None
        launcher._server._process.kill()
        launcher._server._process.wait()
        arm = Worker(launcher, tmp_path / "plain", 60.0, {})
        assert parent_of(arm._process.pid) == os.getpid()
        arm.close()


def test_an_arm_that_ends_after_its_folder_is_gone_is_told_as_any_other(tmp_path: Path) -> None:
    with Launcher("", "eager", on_cpu=True) as launcher:
        arm = Worker(launcher, tmp_path / "arm", 60.0, {})
        arm.ask("start", device="cpu")
        shutil.rmtree(tmp_path / "arm")
        with pytest.raises(ArmError, match=r"ended during call \(exit status 3\)"):
            arm.ask("call", function="os:_exit", status=3)
        arm.close()


def test_an_arm_may_start_and_compile_while_others_are_timed_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "quick.py").write_text(model("return x"))
    source = Source(find_target(str(tmp_path / "quick.py")), "")
    with Launcher("", "eager", on_cpu=True) as launcher, place(launcher).arm(tmp_path / "arm", 60.0) as arm:
        arm.pause(wholly=False)
        arm.ask("start", device="cpu")
        assert arm.stopped_between(-math.inf, math.inf) == 0.0
        monkeypatch.setattr(arm, "_timeout_s", 1.0)
        threading.Timer(2.0, arm.resume).start()
        arm.ask("load", location=location(source), setup=SETUP | {"reference": str(tmp_path / "reference.pt")})
        assert arm.stopped_between(-math.inf, math.inf) > 1.0
        arm.pause(wholly=False)
        assert arm._is_stopped
