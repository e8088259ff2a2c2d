"""On a GPU, arms compile while another is timed, and wait for their turn when they need the device."""

from __future__ import annotations

import math
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import torch

from breaklint.verify.arm.device_lock import CAN_LOCK, DeviceLock, YieldingLock
from breaklint.verify.host.launch import Launcher
from breaklint.verify.host.workers import Worker

pytestmark = pytest.mark.skipif(not CAN_LOCK, reason="no file locks on this system")


class Watched:
    """Compiles a function and notes, while it compiles and while it runs, whether another could have the device."""

    def __init__(self, path: Path, backend: str = "eager", mode: str | None = None) -> None:
        self.way, self.other = YieldingLock(path), DeviceLock(path)
        self.way.while_compiling(backend, mode)
        self.compiling: list[bool] = []
        self.running: list[bool] = []

    def free(self) -> bool:
        taken = self.other.try_acquire()
        if taken:
            self.other.release()
        return taken

    def call(self) -> None:
        def backend(graph: torch.fx.GraphModule, _: Any) -> Any:
            self.compiling.append(self.free())
            return graph

        @torch.compiler.disable
        def between() -> None:
            self.running.append(self.free())

        @torch.compile(backend=backend)
        def model(x: torch.Tensor) -> torch.Tensor:
            y = x + 1
            between()
            return y * 2

        torch._dynamo.reset()
        self.way.install()
        model(torch.ones(2))


def test_the_device_is_free_while_the_compiler_works_and_taken_while_code_runs(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "device.lock")
    watched.call()
    assert (watched.compiling, watched.running) == ([True, True], [False])
    assert not watched.free()


@pytest.mark.parametrize(("backend", "mode"), [("inductor", "max-autotune"), ("my_backend", None)])
def test_a_compiler_that_may_measure_on_the_device_keeps_it(tmp_path: Path, backend: str, mode: str | None) -> None:
    watched = Watched(tmp_path / "turn", backend, mode)
    watched.call()
    assert watched.compiling == [False, False]


def test_code_that_asks_for_autotuning_keeps_the_device(tmp_path: Path) -> None:
    import torch._inductor.config as config

    watched = Watched(tmp_path / "turn", "inductor")
    with config.patch(max_autotune=True):
        watched.call()
    assert watched.compiling == [False, False]


def test_when_compiling_ends_an_arm_waits_until_the_others_are_timed(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "device.lock")
    parent = DeviceLock(tmp_path / "device.lock")

    def backend(graph: torch.fx.GraphModule, _: Any) -> Any:
        assert parent.try_acquire()
        threading.Timer(2.0, parent.release).start()
        return graph

    torch._dynamo.reset()
    watched.way.install()
    torch.compile(lambda x: x + 1, backend=backend)(torch.ones(2))
    assert 0.2 < watched.way.waited_s < 2.0


def test_an_arm_that_holds_its_lock_is_stopped_and_any_other_only_barred(tmp_path: Path) -> None:
    with Launcher("", "eager", on_cpu=True) as launcher:
        arm = Worker(launcher, tmp_path / "arm", 60.0, {})
        theirs = DeviceLock(tmp_path / "arm" / "device.lock")
        try:
            arm.pause()
            assert not theirs.try_acquire()
            arm.resume()
            assert arm.paused_between(-math.inf, math.inf) == 0.0
            arm.pause(even_compiling=True)
            time.sleep(0.1)
            arm.resume()
            stopped_s = arm.paused_between(-math.inf, math.inf)
            assert stopped_s == pytest.approx(0.1, abs=0.05)
            theirs.acquire()
            arm.pause()
            time.sleep(0.2)
            arm.resume()
            assert arm.paused_between(-math.inf, math.inf) - stopped_s == pytest.approx(0.2, abs=0.1)
        finally:
            arm.close()
            theirs.close()
