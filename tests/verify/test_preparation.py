"""What arms inherit from the process that they are forked from."""

from __future__ import annotations

import ast
import functools
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import torch

from breaklint.verify.arm import prefork, preparation
from breaklint.verify.arm.preparation import INDUCTOR, Preparation
from breaklint.verify.host import launch


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The backends that something is compiled with ahead."""
    backends: list[str] = []
    monkeypatch.setattr(preparation, "_compile_once", backends.append)
    monkeypatch.setattr(preparation, "Instructions", lambda: SimpleNamespace(adopt=lambda: None))
    return backends


def test_an_answer_is_there_before_anything_is_forked(monkeypatch: pytest.MonkeyPatch, compiled: list[str]) -> None:
    module: Any = ModuleType("of_a_library")
    module.thing = SimpleNamespace(key=functools.cache(lambda: "slow"), name="no function")
    monkeypatch.setitem(sys.modules, "of_a_library", module)
    prepared = Preparation([], ["of_a_library:thing.key", "of_a_library:thing.name"])
    prepared.finish()
    assert module.thing.key.cache_info().currsize == 1
    assert not prepared.refusal


def test_what_arms_cannot_do_without_has_to_be_there_and_nothing_else(compiled: list[str]) -> None:
    optional = Preparation([], ["no_such_module:", "no_such_module:answer", "json:dumps.answer"])
    optional.finish()
    assert not optional.refusal
    needed = Preparation([], ["no_such_module"])
    needed.finish()
    assert "no_such_module" in needed.refusal
    assert compiled == ["eager"]  # what could not be prepared is not tried


@pytest.mark.parametrize(
    ("later", "has_gpu", "backends"),
    [(["json"], False, ["eager"]), (["json"], True, []), ([INDUCTOR], False, ["inductor"]), ([INDUCTOR], True, [])],
)
def test_where_there_is_a_gpu_nothing_is_compiled_ahead(
    monkeypatch: pytest.MonkeyPatch, compiled: list[str], later: list[str], has_gpu: bool, backends: list[str]
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: has_gpu)
    monkeypatch.setitem(sys.modules, INDUCTOR, ModuleType(INDUCTOR))
    Preparation([], later).finish()
    assert compiled == backends


@pytest.mark.parametrize(("answer", "is_started"), [(0, True), (3, False), (100, False)])
def test_a_process_that_has_started_cuda_is_known_by_the_driver(
    monkeypatch: pytest.MonkeyPatch, answer: int, is_started: bool
) -> None:
    driver = SimpleNamespace(cuDeviceGetCount=lambda _: answer)
    monkeypatch.setattr(prefork.ctypes, "CDLL", lambda _: driver)
    assert prefork._cuda_started() is is_started


@pytest.mark.parametrize(
    "name", [name for name in (*launch._AHEAD_OF_INDUCTOR, *launch._AHEAD_ON_GPU) if name.startswith("torch.")]
)
def test_what_is_asked_of_torch_ahead_is_there(name: str) -> None:
    module, _, path = name.partition(":")
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    defined = {each.name for each in ast.parse(Path(spec.origin).read_text("utf-8")).body if hasattr(each, "name")}
    assert not path or path in defined
