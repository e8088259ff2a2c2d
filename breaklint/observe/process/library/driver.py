"""Observe a library's models, each in a process of its own: `python -m …driver`, which reads on stdin what to do.

One process imports torch and the library; its copies build a model, and theirs run one mode of it. A line on standard
output names each model that is done; the file `model-NAME` in the plan's folder says what came of it.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import fcntl
import importlib
import json
import os
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from breaklint.observe import raw
from breaklint.observe.process import sandbox
from breaklint.observe.process.devices import can_run_backward
from breaklint.observe.process.forms import call_form
from breaklint.observe.process.library.build import Built, NoModelError, NotBuiltError, working
from breaklint.observe.process.library.measure import measure
from breaklint.observe.process.tracing import Tracing

MODES = ("eval", "train")
_ROUNDS = 1 + len(MODES)  # building the model, and each mode


class Driver:
    """What to observe, and where to report it."""

    def __init__(self, told: dict[str, Any], out: int) -> None:
        self.out = out
        self.plan = raw.Plan.from_environment()
        self.family, self.jobs, self.seconds = str(told["family"]), int(told["jobs"]), float(told["seconds"])
        self.models: list[tuple[str, str]] = [(module, name) for module, name in told["models"]]

    def run(self) -> None:
        """Observe all, `jobs` at a time; each ends by itself, or is ended after twice its time and a bit."""
        running: dict[int, tuple[str, float]] = {}
        try:
            self._run(running)
        finally:
            for pid in running:
                _end(pid)

    def _run(self, running: dict[int, tuple[str, float]]) -> None:
        left = list(self.models)
        while left or running:
            while left and len(running) < self.jobs:
                module, name = left.pop(0)
                running[self._fork(module, name)] = name, time.monotonic()
            pid, _ = os.waitpid(-1, os.WNOHANG)
            if pid in running:
                name, began = running.pop(pid)
                os.write(self.out, json.dumps({"model": name, "seconds": time.monotonic() - began}).encode() + b"\n")
                continue
            for pid, (_, began) in running.items():
                if time.monotonic() - began > _ROUNDS * sandbox.WALL * self.seconds:
                    _end(pid)
            time.sleep(0.02)

    def _fork(self, module: str, name: str) -> int:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pid = os.fork()
        if pid == 0:
            try:
                os.setpgid(0, 0)
                self._observe(module, name)
            except BaseException:  # noqa: BLE001 - a copy must not go on with what the driver does
                traceback.print_exc()
            finally:
                os._exit(0)
        with suppress(OSError):
            os.setpgid(pid, pid)
        return pid

    def _observe(self, module: str, name: str) -> None:
        """In a copy: build the model, and run both modes in copies of that."""
        nowhere = os.open(os.devnull, os.O_RDWR)
        sys.stderr = os.fdopen(os.dup(2), "w")
        for number in (0, 1, 2):
            os.dup2(nowhere, number)
        signal.setitimer(signal.ITIMER_REAL, _ROUNDS * sandbox.WALL * self.seconds)
        torch.set_num_threads(1)
        try:
            built = working(self.family, module, name)
        except NotBuiltError as error:
            self._tell(name, mode="", state="not built", why=str(error))
            return
        except NoModelError as error:
            self._tell(name, mode="", state="no model", why=str(error))
            return
        for mode in MODES:
            self._mode(built, name, mode)

    def _mode(self, built: Built, name: str, mode: str) -> None:
        path = raw.new_path(self.plan.out, "replay")
        descriptor = raw.opened(path)
        began = time.monotonic()
        pid = os.fork()
        if pid == 0:
            try:
                self._measure(built, name, mode, descriptor)
            finally:
                os._exit(0)
        _, status = os.waitpid(pid, 0)
        os.close(descriptor)
        ended = sandbox.ended_by(os.WTERMSIG(status), self.seconds) if os.WIFSIGNALED(status) else ""
        self._tell(name, mode=mode, lines=path, seconds=round(time.monotonic() - began, 2), ended=ended)

    def _tell(self, name: str, **told: Any) -> None:
        with open(Path(self.plan.out, f"model-{name}"), "ab") as file:
            file.write(raw.encoded(told))

    def _measure(self, built: Built, name: str, mode: str, descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)

        def write(**told: Any) -> None:
            os.write(descriptor, raw.encoded(told))

        training = mode == "train"
        built.model.train(training)
        with torch.set_grad_enabled(training):
            inputs = call_form(built.model, built.args, built.kwargs)
        form = raw.digest(f"{self.family}:{name} {inputs}")
        file = sys.modules[type(built.model).__module__].__file__
        write(
            form=form,
            inputs=inputs,
            file=file,
            torch=torch.__version__,
            name=name,
            budget=self.seconds,
            **{"class": name},
        )
        raw.Lines(self.plan.out, "calls").write(form=form, by=f"{self.family}:{name} ({mode})")
        tempfile.gettempdir()
        sandbox.enter((descriptor,), self.seconds)
        warnings.simplefilter("ignore")
        torch._dynamo.reset()
        tracing = Tracing(write, self.plan.is_own)
        try:
            result = measure(built, training, tracing)
        except BaseException as error:  # noqa: BLE001 - whatever the library's model raises
            where = traceback.extract_tb(error.__traceback__)[-1:]
            words = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:200]}"
            write(end="raised", why=words, place=[f"{each.filename}:{each.lineno}" for each in where])
            return
        write(end="replayed", why="", **result)


def _end(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _warm(module: str) -> None:
    """What every copy would have to import and to build for itself: what models have in common, and Dynamo's tables."""
    with suppress(Exception):
        importlib.import_module(module)
    torch.set_num_threads(1)
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Dropout())
    can_run_backward()  # once here, and not in every copy
    torch._dynamo.optimize("eager")(model)(torch.ones(1, 2))
    torch._dynamo.reset()


def main(told: Callable[[], str] = sys.stdin.read) -> None:
    """Observe what standard input names."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    out = os.dup(1)
    os.dup2(2, 1)  # libraries print when they are imported
    driver = Driver(json.loads(told()), out)
    _warm(driver.models[0][0])
    try:
        driver.run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
