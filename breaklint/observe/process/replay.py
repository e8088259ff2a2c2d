"""Replay a call under Dynamo in a copy of the user's process, made by a fork just before the call.

The copy has the module, its arguments and all around them as they are at that moment; the user's process goes on.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import fcntl
import gc
import os
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from select import select
from typing import Any, Final

import torch
import torch._dynamo
from torch.utils._pytree import tree_leaves

from breaklint.observe import raw
from breaklint.observe.process import sandbox
from breaklint.observe.process.devices import CUDA, can_run_backward, held_tensors, is_refused, leave_alone
from breaklint.observe.process.tracing import Tracing
from breaklint.observe.raw import SYSTEM

_RESET, _OPTIMIZE, _SET_STANCE = torch._dynamo.reset, torch._dynamo.optimize, torch.compiler.set_stance
_DEPTH: Final = 3000  # of calls: tests may allow fewer than Dynamo needs
_COPIES: Final = 2  # of the process for each that runs: others wait for those of their class
IDLE: Final = 10.0
"""Seconds for which a replay may do nothing: a copy of the process has no other threads to wait for."""


def why_not() -> str:
    """Why no copy of this process can be made, "" where one can."""
    if not hasattr(os, "fork"):
        return "this system cannot copy a process"
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        return "the process is one of a distributed group"
    return ""


def replay(
    plan: raw.Plan, told: dict[str, Any], calls: Callable[[], tuple[Any, tuple[Any, ...], dict[str, Any]]]
) -> None:
    """Begin a replay of what `calls` gives (module, arguments), which ends by itself once its class has no time left.

    `told` goes into its file of lines first. Waits while there are as many copies as the plan allows.
    """
    slot = _slot(plan.out, "slot", _COPIES * plan.slots)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of threads: a copy has none, and uses none
            pid = SYSTEM.fork()
        if pid == 0:
            _leave(lambda: _watch(plan, slot, told, calls))
        with suppress(ChildProcessError):
            SYSTEM.waitpid(pid, 0)  # which ends at once
    finally:
        SYSTEM.close(slot)


def _slot(out: str, kind: str, most: int) -> int:
    """The descriptor of a locked file, one of as many as there may be; the lock ends with the last copy of it."""
    while True:
        for number in range(most):
            descriptor: int = SYSTEM.open(f"{out}/{kind}-{number}", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return descriptor
            except OSError:
                SYSTEM.close(descriptor)
        SYSTEM.sleep(0.01)


def _leave(action: Callable[[], None]) -> None:
    """In the copy: fork once more, so that the user's process gets no child, run the action there, and end."""
    try:
        if SYSTEM.fork() == 0:
            action()
    finally:
        SYSTEM._exit(0)


def _watch(
    plan: raw.Plan,
    slot: int,
    told: dict[str, Any],
    calls: Callable[[], tuple[Any, tuple[Any, ...], dict[str, Any]]],
) -> None:
    """Replay in a copy of this copy, and note what processor time it took, and by what it was ended.

    Replays of a class run one after the other, for its time to be known: what has no time left is not begun.
    """
    descriptor = raw.new_file(plan.out, "replay")
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    lines = _Lines(descriptor)
    lines.write(**told)
    module, args, kwargs = calls()
    try:
        if any(each.is_cuda for each in held_tensors(module, args, kwargs)):
            lines.write(end="skipped", why=CUDA)
            return
        _unshare(module, args, kwargs)
    except BaseException as error:  # noqa: BLE001 - what of the user's runs there may raise anything
        lines.write(end="raised", why=_words(error))
        return
    clock = raw.time_file(plan.out, told["name"])
    sandbox.detach((descriptor, slot, clock))
    fcntl.flock(clock, fcntl.LOCK_EX)
    seconds = plan.budget - raw.time_taken(plan.out, told["name"], plan.budget)
    if seconds <= 0:
        lines.write(end="skipped", why=raw.over_budget(plan.budget))
        return
    running = _slot(plan.out, "run", plan.slots)
    ends, held = SYSTEM.pipe()
    pid = SYSTEM.fork()
    if pid == 0:
        try:
            _run(plan, (descriptor, slot, running, held), seconds, lines, module, args, kwargs)
        finally:
            SYSTEM._exit(0)
    SYSTEM.close(held)
    raw.note_begin(clock, pid)
    waited = _wait(pid, ends)
    _, status, usage = SYSTEM.wait4(pid, 0)
    raw.note_end(clock, pid, usage.ru_utime + usage.ru_stime)
    if os.WIFSIGNALED(status):
        lines.write(end="stopped", why=waited or _stopped(os.WTERMSIG(status), plan.budget))


def _wait(pid: int, ends: int) -> str:
    """Wait until the other end of a pipe is closed, as the process ends; end it where it does nothing, and say why."""
    before: float | None = None
    while not select([ends], [], [], IDLE)[0]:
        now = raw.time_of(pid)
        if now is not None and now == before:
            SYSTEM.kill(pid, signal.SIGKILL)
            return f"it did nothing for {IDLE:g} s: what it waits for is not in a copy of the process"
        before = now
    return ""


def _stopped(number: int, budget: float) -> str:
    if number == signal.SIGPROF:
        return raw.over_budget(budget)
    return sandbox.ended_by(number, budget)


def _run(
    plan: raw.Plan,
    keep: tuple[int, ...],
    seconds: float,
    lines: _Lines,
    module: Any,
    args: tuple[Any, ...],
    kwargs: Any,
) -> None:
    began = time.process_time()
    tempfile.gettempdir()  # which tries to write where it is called first
    sandbox.enter(keep, seconds)
    status, why = "replayed", ""
    tracing = Tracing(lines.write, plan.is_own)
    try:
        has_backward = _prepare()
        tracing.install()
        _call(tracing, has_backward, module, args, kwargs)
    except BaseException as error:  # noqa: BLE001 - whatever the user's module raises
        status, why = "raised", _words(error)
        if is_refused(error):
            status, why = "skipped", CUDA
    lines.write(end=status, why=why, seconds=round(time.process_time() - began, 3))


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:200]}"


class _Lines:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, **told: Any) -> None:
        SYSTEM.write(self._descriptor, raw.encoded(told))


def _prepare() -> bool:
    """Threads are gone, and Dynamo may be switched off. Returns whether there is a backward to run."""
    sys.settrace(None)
    sys.setprofile(None)
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEPTH))
    gc.freeze()  # what is there stays: to look through it for garbage takes time, and copies the memory that it is in
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # where they are errors, Dynamo would fail on its own
    _RESET()
    if hasattr(torch._dynamo.guards, "profile_guard_manager"):
        torch._dynamo.guards.profile_guard_manager = _untimed  # it empties the processor's caches for each frame
    torch._dynamo.config.disable = False
    torch._dynamo.config.suppress_errors = False
    _SET_STANCE("default")
    has_backward = torch.is_grad_enabled() and can_run_backward()
    leave_alone()
    return has_backward


def _unshare(module: Any, args: Any, kwargs: Any) -> None:
    """Copy what memory is shared with the user's process, which goes on to change it, as the replay would."""
    for tensor in held_tensors(module, args, kwargs):
        with suppress(NotImplementedError, RuntimeError, ValueError):  # one without memory of its own, or any yet
            if tensor.is_shared():
                tensor.data = tensor.detach().clone()


def _untimed(*_told: Any) -> float:
    """How many microseconds the guards of a frame take: not measured in a replay."""
    return 0.0


def _call(tracing: Tracing, has_backward: bool, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Forward, backward where gradients are on, and once more for what is compiled again."""
    compiled = _OPTIMIZE("eager")(module)
    output = compiled(*args, **kwargs)
    if has_backward:
        found = [each for each in tree_leaves(output) if isinstance(each, torch.Tensor)]
        results = [each for each in found if each.requires_grad and each.is_floating_point()]
        if results:
            torch.stack([each.sum().float() for each in results]).sum().backward()
    tracing.only_recompiles()
    try:
        compiled(*args, **kwargs)
    except Exception:  # noqa: BLE001 - a module may refuse a second call
        return
