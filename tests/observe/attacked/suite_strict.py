"""Tests that see what is done around them, and tests that call what is not what its file says."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

import pytest
import strict
import torch
import torch._dynamo
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

X = torch.ones(3)


def test_own_after_a_forward_of_an_instance():
    patched = strict.Patched()
    patched.forward = lambda x: x
    patched(X)
    strict.Patched()(X)


def test_own_after_a_method_of_the_class(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(strict.Replaced, "helper", lambda self, x: x)
        strict.Replaced()(X)
    strict.Replaced()(X)


def test_other_text_under_the_name_of_the_file():
    names = {"__name__": "strict"}
    text = Path(strict.__file__).read_text().replace("return x", "return x + 1")
    exec(compile(text, strict.__file__, "exec"), names)
    names["Other"]()(X)


def test_functions_of_dynamo_are_patched(monkeypatch):
    for name in ("optimize", "reset"):
        monkeypatch.setattr(torch._dynamo, name, None)
    monkeypatch.setattr(os, "fork", None)
    strict.Optimized()(X)


def test_lazy():
    strict.Lazy()(X)


def test_few_calls_are_allowed():
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + 50)
    try:
        strict.Flat()(X)
    finally:
        sys.setrecursionlimit(before)


def test_modules_cannot_be_compared():
    strict.Unequal()(X)


def test_methods_of_a_class_are_not_called():
    counts = strict.Counts()
    strict.Counts.asked.clear()
    counts(X.as_subclass(strict.Doubles))
    assert strict.Counts.asked == strict.Doubles.asked == []


class FunctionMode(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.asked = []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        self.asked.append(function)
        return function(*args, **(kwargs or {}))


class DispatchMode(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.asked = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.asked.append(function)
        return function(*args, **(kwargs or {}))


@pytest.mark.parametrize(("kind", "called"), [(FunctionMode, strict.Signalled), (DispatchMode, strict.Moded)])
def test_modes_are_not_asked(kind, called):
    moded = called()
    with kind() as mode:
        moded(X)
    assert mode.asked == []


def test_own_after_a_mode():
    """Dynamo traces nothing under one of dispatch."""
    strict.Moded()(X)


def test_no_child_is_told():
    told = []
    before = signal.signal(signal.SIGCHLD, lambda *_: told.append(1))
    strict.Signalled()(X)
    time.sleep(0.1)
    signal.signal(signal.SIGCHLD, before)
    assert told == []


def test_a_child_is_told():
    told = []
    before = signal.signal(signal.SIGCHLD, lambda *_: told.append(1))
    process = subprocess.Popen([sys.executable, "-c", ""])
    strict.Signalled()(torch.ones(3, 3))
    while not told:
        time.sleep(0.01)
    signal.signal(signal.SIGCHLD, before)
    assert process.wait() == 0
    assert told == [1]


@pytest.mark.parametrize("plan", ["{", None])
def test_a_process_without_a_sound_plan(plan):
    code = f"import os\nif {plan is None}: os.environ.pop('BREAKLINT_OBSERVE', '')\nimport strict, torch\nprint(torch.ones(1))"
    environment = {**os.environ, **({"BREAKLINT_OBSERVE": plan} if plan else {})}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "tensor([1.])\n"
    assert "Traceback" not in done.stderr
