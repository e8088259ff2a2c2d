"""CUDA in a copy of a process: what belongs to the process that was copied, a copy cannot use."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType
from typing import Any, Final

import torch
from torch.utils._pytree import tree_leaves

from breaklint.observe.process.forms import attributes, parts

CUDA: Final = "the process uses CUDA, and a copy of it could not; run with CUDA_VISIBLE_DEVICES= to observe on the CPU"
_REFUSED = ("Cannot re-initialize CUDA", "CUDA error: initialization error")


def held_tensors(module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[torch.Tensor]:
    """Parameters, buffers and the tensors of the arguments of a call."""
    held = [attributes(part) for _, part in parts(module)]
    state = [each for kind in ("_parameters", "_buffers") for one in held for each in one.get(kind, {}).values()]
    return (value for value in (*state, *tree_leaves((args, kwargs))) if isinstance(value, torch.Tensor))


def is_refused(error: BaseException) -> bool:
    """Did a copy try to use CUDA?"""
    return any(each in str(error) for each in _REFUSED)


def can_run_backward() -> bool:
    """Run a first backward, before Dynamo is used, and tell whether there can be others.

    The first one of a process starts a thread for each device. A copy cannot start one that the process has looked for,
    nor has it the threads that the process has started. Of a torch that is built for CUDA, where there is no device,
    fake tensors register eight that do not exist, and their threads at times end the process.
    """
    if torch.cuda._is_in_bad_fork() and torch.cuda.device_count():
        return False
    try:
        torch.ones((), requires_grad=True).neg().backward()
    except RuntimeError as error:
        if "threading in combination with fork" not in str(error):
            raise
        return False
    return True


def leave_alone() -> None:
    """In a copy, say that there is no CUDA: Dynamo would start it for each frame, and a copy often cannot."""
    for name, answer in (("is_available", _no), ("device_count", _none)):
        function = getattr(torch.cuda, name)
        if isinstance(function, FunctionType) and not function.__closure__:
            function.__code__ = answer.__code__  # it stays the function that Dynamo knows
        else:
            setattr(torch.cuda, name, answer)


def _no(*_args: object, **_kwargs: object) -> bool:
    return False


def _none(*_args: object, **_kwargs: object) -> int:
    return 0
