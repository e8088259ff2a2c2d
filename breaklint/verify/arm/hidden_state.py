"""What objects of Python, NumPy and torch keep where no attribute shows it: generators' states, iterators' places.

Runs inside an arm's process.
"""

from __future__ import annotations

import hashlib
import itertools
import operator
import random
from collections.abc import Iterator
from contextvars import ContextVar
from types import GeneratorType
from typing import Any

import torch


def hidden(value: Any) -> Any:
    """The state of a random generator, as a digest, or the value of a context variable; None for anything else."""
    if isinstance(value, ContextVar):
        return [value.get(None)]
    if isinstance(value, random.Random):
        return _digest(value.getstate())
    if isinstance(value, torch.Generator):
        return _digest(value.get_state().tolist())
    if not str(type(value).__module__).startswith("numpy.random"):
        return None
    bits = getattr(value, "bit_generator", value)
    return _digest(bits.state if hasattr(bits, "state") else value.get_state())


def progress(iterator: Iterator[Any]) -> str:
    """How far an iterator has come, where that can be told without moving it."""
    if isinstance(iterator, GeneratorType):
        frame = iterator.gi_frame
        return "its end" if frame is None else f"instruction {frame.f_lasti} with {_plain(frame.f_locals)}"
    if isinstance(iterator, itertools.count):
        return repr(iterator)
    try:
        return f"{operator.length_hint(iterator)} left"
    except Exception:  # noqa: BLE001 - a class of the target may raise anything
        return ""


def _plain(names: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value!r}" for name, value in names.items() if isinstance(value, int | float | str))


def _digest(state: Any) -> str:
    return hashlib.sha256(repr(state).encode()).hexdigest()[:12]
