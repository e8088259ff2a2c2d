"""Time steady calls of a model inside its own process."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

from breaklint.verify.arm.calls import Case, clone, loss_of, with_gradients

SAMPLE_S, SAMPLE_ON_CUDA_S = 0.03, 0.01
"""Seconds that the calls of a sample take. On a GPU, which targets use in turn, they are queued and timed together."""
MAX_CALLS = 1000


class Stopwatch:
    """Wall time of `call` on a copy of the case's arguments; `calls` is the number per sample."""

    def __init__(self, call: Callable[..., object], case: Case, device: str, train: bool, cuda_graphs: bool) -> None:
        self._call, self._train, self._cuda_graphs = call, train, cuda_graphs
        self._device, self._on_cuda = device, device.startswith("cuda")
        self._args, self._kwargs = clone((case.args, case.kwargs))
        self._flat_inputs, self._structure = tree_flatten((self._args, self._kwargs))
        self._changes: bool | None = None
        self.calls = 0

    def prepare(self) -> None:
        """Leave little for the garbage collections between samples, while other arms may still run."""
        gc.collect()
        gc.freeze()  # objects of torch stay: collecting them again would take longer than a round

    def step(self) -> None:
        """One call, with new containers for a model that changes those that it gets."""
        if self._changes:
            self._args, self._kwargs = tree_unflatten(self._flat_inputs, self._structure)
        self._step()
        if self._changes is None:
            self._changes = tree_flatten((self._args, self._kwargs))[1] != self._structure

    def _step(self) -> None:
        if self._cuda_graphs:
            torch.compiler.cudagraph_mark_step_begin()
        if not self._train:
            with torch.no_grad():
                self._call(*self._args, **self._kwargs)
            return
        # Differentiable inputs, as in the comparison (others would recompile), created again for every backward.
        (args, kwargs), _ = with_gradients((self._args, self._kwargs))
        if (loss := loss_of(self._call(*args, **kwargs))) is not None:
            loss.backward()

    def sample(self) -> float:
        """Milliseconds per call, over as many calls as fill `SAMPLE_S`, or `SAMPLE_ON_CUDA_S`."""
        if not self.calls:
            seconds = SAMPLE_ON_CUDA_S if self._on_cuda else SAMPLE_S
            with _no_collection():
                self.calls = max(1, min(MAX_CALLS, int(1000 * seconds / max(self._typical_ms(seconds), 1e-6))))
        return self.measure(self.calls)

    def _typical_ms(self, seconds: float) -> float:
        """Milliseconds per call; on CUDA by more and more calls, since the first ones may be many times slower."""
        calls, typical_ms = 1, median([self._taken_ms(1) for _ in range(4)][1:])
        while self._on_cuda and calls < MAX_CALLS and calls * typical_ms < 1000 * seconds:
            calls = min(MAX_CALLS, 2 * calls)
            typical_ms = min(typical_ms, self._taken_ms(calls))
        return typical_ms

    def measure(self, calls: int) -> float:
        """Milliseconds per call, garbage collection held off."""
        with _no_collection():
            return self._taken_ms(calls)

    def _taken_ms(self, calls: int) -> float:
        """Milliseconds per call.

        On CUDA, calls are queued and timed together. On the CPU, the median counts: the scheduler may put a call off.
        """
        return 1000 * (self._timed(calls) / calls if self._on_cuda else median(self._timed(1) for _ in range(calls)))

    def _timed(self, calls: int) -> float:
        self.wait()
        started = time.perf_counter()
        for _ in range(calls):
            self.step()
        self.wait()
        return time.perf_counter() - started

    def wait(self) -> None:
        """Wait until the device has finished."""
        if self._on_cuda:
            torch.cuda.synchronize()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Collect garbage now, and not inside."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
