"""Has a target replaced what it is measured with?

This is no prison: it sees the plain ways in which code reaches for the clock, the compiler or the recorder. What
matters most is out of reach: results are compared in another process, and times held against the parent's own clock.
"""

from __future__ import annotations

import gc
import json
import logging
import sys
import time
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import torch
import torch.profiler
from torch._compile import _disable_dynamo

MEASURED_WITH: tuple[tuple[Any, str], ...] = (
    (time, "perf_counter monotonic"),
    (gc, "collect"),
    (json, "dumps"),
    (logging.Logger, "handle callHandlers isEnabledFor"),
    (torch, "compile save load manual_seed get_rng_state no_grad"),
    (torch.Tensor, "clone cpu copy_ detach untyped_storage stride"),
    (torch.cuda, "synchronize is_available"),
    (torch.profiler, "profile record_function"),
    (torch.export, "export"),
)
COMPILED_WITH = "torch._dynamo", "reset error_on_graph_break optimize"
_NOT_TRACED = _disable_dynamo(lambda: None).__code__
_OWN = "breaklint.verify."


class Watched(NamedTuple):
    """A function or class as it was: what holds it under which name, and what it and its code were."""

    owner: Any
    name: str
    value: Any
    identity: tuple[Any, Any]

    @property
    def is_replaced(self) -> bool:
        """Is it no longer what it was? What is still the same object with the same code needs no second look."""
        now, (inner, code) = getattr(self.owner, self.name, None), self.identity
        is_same = now is self.value and getattr(inner, "__code__", None) is code
        return not is_same and _identity(now) != self.identity


def watched() -> list[Watched]:
    """What measures: functions and classes of breaklint's and some of torch's, as they are now."""
    compiler = sys.modules.get(COMPILED_WITH[0])  # a process that never compiles does without
    owners = MEASURED_WITH if compiler is None else (*MEASURED_WITH, (compiler, COMPILED_WITH[1]))
    chosen = [(owner, each) for owner, names in owners for each in names.split()]
    for module in [each for name, each in sys.modules.items() if name.startswith(_OWN)]:
        chosen += _functions(module)
    values = [(owner, name, getattr(owner, name)) for owner, name in chosen]
    return [Watched(owner, name, value, _identity(value)) for owner, name, value in values]


def replaced(earlier: list[Watched]) -> list[str]:
    """The names of what is no longer what it was."""
    return [f"{_name(each.owner)}.{each.name}" for each in earlier if each.is_replaced]


def _functions(module: ModuleType) -> Iterator[tuple[Any, str]]:
    for name, value in list(vars(module).items()):
        if isinstance(value, FunctionType):
            yield module, name
        elif isinstance(value, type) and value.__module__.startswith(_OWN):
            yield module, name
            yield from ((value, each) for each, part in list(vars(value).items()) if isinstance(part, FunctionType))


def _identity(value: Any) -> tuple[Any, Any]:
    """A function and its code, without what Dynamo puts around it when it is imported."""
    while getattr(value, "__code__", None) is _NOT_TRACED:
        value = value.__wrapped__
    return value, getattr(value, "__code__", None)


def _name(owner: Any) -> str:
    return f"{owner.__module__}.{owner.__qualname__}" if isinstance(owner, type) else str(owner.__name__)
