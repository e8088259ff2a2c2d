"""What arms inherit from the process that they are forked from: modules, answers and a compiler that has run once."""

# mypy: disable-error-code="no-untyped-call"
# (torch leaves some of its functions untyped)

from __future__ import annotations

import gc
import importlib
import os
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from operator import attrgetter
from typing import Any
from unittest.mock import patch

from breaklint.verify.arm.vector_instructions import Instructions

INDUCTOR = "torch._inductor.compile_fx"


class Preparation:
    """What arms inherit, made step by step; `refusal` says why forking would be wrong, if it would."""

    def __init__(self, first: list[str], later: list[str]) -> None:
        self.refusal = _import_all(first)
        self._instructions: Instructions | None = None
        self._steps = deque[Callable[[], None]](partial(self._import, name) for name in later if ":" not in name)
        answers = [partial(self._import, name) for name in later if ":" in name]
        uses_inductor, has_gpu = INDUCTOR in later, _has_gpu()
        for_cpu = uses_inductor and ("BREAKLINT_ON_CPU" in os.environ or not has_gpu)
        self._steps += [self._find_instructions, *answers, self._adopt_instructions] if for_cpu else answers
        if later and not has_gpu:  # else even compiling for the CPU would start CUDA
            self._steps.append(partial(_compile_once, "inductor" if uses_inductor else "eager"))

    @property
    def is_open(self) -> bool:
        """Is there something left to do?"""
        return bool(self._steps) and not self.refusal

    def step(self) -> None:
        """Do the next thing."""
        self._steps.popleft()()

    def finish(self) -> None:
        """Do all that arms which compile need."""
        while self.is_open:
            self.step()

    def _import(self, name: str) -> None:
        self.refusal = _import_all([name])

    def _find_instructions(self) -> None:
        self._instructions = Instructions()

    def _adopt_instructions(self) -> None:
        assert self._instructions is not None
        self._instructions.adopt()


def _compile_once(backend: str) -> None:
    """Have the compiler trace a small graph, and lower it up to the kernel that would have to be built.

    What it imports and sets up when it first runs takes longer than many a model; arms inherit it, and there are two at
    least.
    """
    import torch._dynamo

    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # threads that wait do not survive a fork
    try:
        with suppress(Exception), warnings.catch_warnings(), torch.no_grad(), _nothing_built(backend):
            warnings.simplefilter("ignore")
            # The first call of torch.nn.functional imports most of what is left.
            with torch.random.fork_rng(devices=[]):
                model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Softmax(-1))
            torch.compile(model, backend=backend)(torch.ones(2, 2))
    finally:
        torch.set_num_threads(threads)
        torch._dynamo.reset()
        gc.freeze()


@contextmanager
def _nothing_built(backend: str) -> Iterator[None]:
    """Inside, Inductor builds no kernels, and counts none in the end."""
    if backend != "inductor":
        yield
        return
    from torch._inductor import config, cpp_builder, metrics

    try:
        with patch.object(cpp_builder.CppBuilder, "build", side_effect=OSError), config.patch(fx_graph_cache=False):
            yield
    finally:
        metrics.reset()


def _import_all(modules: list[str]) -> str:
    """Import what arms will need; the answer is why that cannot be, if it cannot."""
    try:
        with _cuda_left_alone():
            for name in modules:
                _prepare(name)
    except ImportError as error:
        return f"{type(error).__name__}: {error}"
    gc.freeze()  # else the collector would touch, and so copy, every page in every arm
    return ""


@contextmanager
def _cuda_left_alone() -> Iterator[None]:
    """Inside, torch asks the driver's monitoring library whether there is a GPU, which does not start CUDA."""
    os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
    try:
        yield
    finally:
        del os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"]


def _has_gpu() -> bool:
    """Does torch, where it could be imported, find one?"""
    torch = sys.modules.get("torch")
    with _cuda_left_alone():
        return torch is not None and bool(torch.cuda.is_available())


def _prepare(name: str) -> None:
    """Import a module; of `MODULE:PATH` there need not be any, and what it has under the path is called."""
    module, is_optional, path = name.partition(":")
    with suppress(*([Exception] if is_optional else [])):
        found: Any = importlib.import_module(module)
        if path:
            found = attrgetter(path)(found)
            if callable(found):
                found()
