"""Tests that do to a process what tests do: each ends as it would without observe, and one fails."""

from __future__ import annotations

import asyncio
import copy
import dataclasses
import importlib.util
import json
import multiprocessing
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import net
import pytest
import torch

X = torch.ones(3)


@pytest.fixture(scope="session")
def session_model():
    """A model that is called in its fixture, before the tests and after them."""
    model = net.Branch()
    model(torch.ones(2))
    yield model
    model(torch.ones(2, 2))


@pytest.fixture(params=[1, 2, 3])
def rank(request):
    return torch.ones(*[2] * request.param)


def test_session(session_model):
    session_model(X)


def test_ranks(rank):
    net.Branch()(rank)


def test_global_as_it_is():
    assert net.Plain()(X).sum() == 6


def test_global_mutated():
    net.FLAGS["loud"] = True
    try:
        net.Plain()(X)
    finally:
        net.FLAGS["loud"] = False


def test_patched_function(monkeypatch):
    monkeypatch.setattr(net, "helper", lambda x: x + 1)
    assert net.Patched()(X).sum() == 6


def test_patched_forward(monkeypatch):
    monkeypatch.setattr(net.Never, "forward", lambda self, x: x)
    net.Never()(X)


def test_counter_runs_once():
    counter = net.Counter()
    counter(X)
    assert counter.calls == 1


def test_counts_and_gives_up():
    counter = net.CountsAndGivesUp()
    counter(X)
    assert counter.calls == 1


def test_lock():
    net.Locked()(X)


def test_random_state():
    random.seed(1)
    torch.manual_seed(1)
    found, after = net.Draws()(X), random.random()
    random.seed(1)
    torch.manual_seed(1)
    random.random()
    assert torch.equal(found, X + torch.rand(3))
    assert after == random.random()


def test_raises():
    with pytest.raises(ValueError, match="no"):
        net.Raises()(X)


def test_exits():
    with pytest.raises(SystemExit):
        net.Exits()(X)


def test_recursion():
    with pytest.raises(RecursionError):
        net.Recurses()(X)


def test_fails():
    net.Branch()(-X)
    pytest.fail("as it shall")


@pytest.mark.xfail(strict=True)
def test_expected_to_fail():
    net.Branch()(X)
    pytest.fail("as it shall")


@pytest.mark.skip
def test_skipped():
    net.Never()(X)


def test_odd_attributes():
    net.Odd()(X)


def test_class_that_lies_about_its_module():
    net.Hidden()(X)


def test_class_of_a_module_that_is_not_known():
    spec = importlib.util.spec_from_file_location("loose", Path(net.__file__).with_name("loose.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.Loose()(X)


def test_class_without_a_file():
    names = {"torch": torch}
    exec("class Made(torch.nn.Module):\n    def forward(self, x):\n        print(1)\n        return x\n", names)
    names["Made"]()(X)


def test_shared_memory():
    model = net.Shared().share_memory()
    model(X)
    assert model.count == 1


def test_subprocess():
    code = "import net, torch; net.Kinds()(torch.ones(3), torch.ones(3))"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing(method):
    process = multiprocessing.get_context(method).Process(target=child)
    process.start()
    process.join(200)
    assert process.exitcode == 0


def child():
    net.Kinds()(X, mode="b")


def test_threads():
    threads = [threading.Thread(target=net.Branch(), args=(torch.ones(*[1] * ndim),)) for ndim in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(200)
    assert not any(thread.is_alive() for thread in threads)


def test_children():
    net.Kinds()(torch.ones(3, 3))
    try:
        pid, _ = os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return
    assert pid == 0  # of multiprocessing


def test_capsys(capsys):
    net.Odd()(torch.ones(1, 1))
    assert capsys.readouterr().out == "odd\n"


def test_capfd(capfd):
    net.Odd()(torch.ones(1, 1, 1))
    assert capfd.readouterr().out == "odd\n"


def test_streams_are_gone(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    net.Odd()(torch.ones(1, 1, 1, 1))


def test_file_is_open(tmp_path):
    with open(tmp_path / "a.txt", "w") as file:
        file.write("a")
        net.Kinds()(X, mode="c")
        file.write("b")
    assert (tmp_path / "a.txt").read_text() == "ab"


def test_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    net.Kinds()(X, mode="d")


def test_environment(monkeypatch):
    for name in list(os.environ):
        monkeypatch.delenv(name, raising=False)
    net.Kinds()(X, mode="e")


def test_modules(monkeypatch):
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "net")
    net.Kinds()(X, mode="f")


def test_open(monkeypatch):
    monkeypatch.setattr("builtins.open", None)
    monkeypatch.setattr(os, "open", None)
    net.Kinds()(X, mode="g")


def test_clock(monkeypatch):
    monkeypatch.setattr(time, "sleep", None)
    monkeypatch.setattr(time, "time", lambda: 0)
    monkeypatch.setattr(time, "monotonic", lambda: 0)
    net.Kinds()(X, mode="h")


def test_json(monkeypatch):
    monkeypatch.setattr(json, "dumps", lambda *_, **__: "{}")
    net.Kinds()(X, mode="i")


def test_compiled():
    torch.compile(net.Compiled(), backend="eager")(X)


def test_dynamo_is_reset():
    torch._dynamo.reset()
    torch.compile(net.Branch(), backend="eager")(X)
    torch._dynamo.reset()


def test_dynamo_is_disabled(monkeypatch):
    monkeypatch.setattr(torch._dynamo.config, "disable", True)
    net.Kinds()(X, mode="j")


def test_call_is_patched(monkeypatch):
    monkeypatch.setattr(torch.nn.Module, "__call__", lambda self, *args, **kwargs: self.forward(*args, **kwargs))
    net.Kinds()(X, mode="k")


def test_gradients():
    model = pickle.loads(pickle.dumps(copy.deepcopy(net.Weighted())))
    model.register_forward_hook(lambda *_: print("hook"))
    model(X)
    assert model.weight.grad is None
    model(X).sum().backward()
    assert model.weight.grad.tolist() == [1, 1, 1]


def test_inference():
    with torch.inference_mode():
        net.Kinds()(X, mode="l")


def test_alarm():
    fired = []
    signal.signal(signal.SIGALRM, lambda *_: fired.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    net.Kinds()(X, mode="m")
    time.sleep(0.1)
    assert fired == [1]


def test_asyncio():
    async def run():
        return net.Kinds()(X, mode="n")

    asyncio.run(run())


class CountsReads(Mapping):
    def __init__(self):
        self.reads = 0

    def __getitem__(self, key):
        self.reads += 1
        return X

    def __iter__(self):
        self.reads += 1
        return iter(["x"])

    def __len__(self):
        return 1


def test_a_mapping_is_not_read():
    given = CountsReads()
    net.Takes()(X, given)
    assert given.reads == 0


@dataclasses.dataclass
class Config:
    depth: int = 1

    def __getattribute__(self, name):
        if name == "depth":
            READ.append(name)
        return super().__getattribute__(name)


READ = []


def test_fields_are_not_read():
    given = Config()
    net.Takes()(X, given)
    assert READ == []


class Asked(torch.Tensor):
    functions = []

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        cls.functions.append(function.__name__)
        return super().__torch_function__(function, types, args, kwargs or {})


def test_a_tensor_is_asked_for_its_product_alone():
    net.Takes()(X.as_subclass(Asked), None)
    assert Asked.functions == ["mul"]


class TestInAClass:
    @classmethod
    def setup_class(cls):
        cls.model = net.Kinds()
        cls.model(torch.ones(4, 4), torch.ones(4, 4), mode="o")

    def test_in_a_class(self):
        self.model(torch.ones(4, 4), mode="p")


def test_process_that_ends():
    """Last, and only in a process of xdist: it ends that one in the middle of a replay."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        net.Ends()(X)
        os._exit(1)
