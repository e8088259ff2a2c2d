"""What a result is besides its values: classes, devices, strides, and the settings and random draws that a call leaves.

Runs inside an arm's process. Everything is given as text by place, so that a difference reads as one line.
"""

# mypy: disable-error-code="no-untyped-call"
# (torch leaves some of its functions untyped)

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from typing import Any

import torch

from breaklint.verify.arm.parts import parts


def classes(value: Any) -> dict[str, str]:
    """The class of every container and tensor in a result, a tensor's with its device, a dict's with its order."""
    return {
        place: f"{type(part).__qualname__} on {part.device.type}" if isinstance(part, torch.Tensor) else _class(part)
        for place, part in parts(value, "output")
    }


def strides(value: Any) -> dict[str, str]:
    """The strides of every tensor in a result, those of dimensions of one element left out."""
    tensors = ((place, part) for place, part in parts(value, "output") if isinstance(part, torch.Tensor))
    return {place: _strides(tensor) for place, tensor in tensors if tensor.layout == torch.strided and tensor.numel()}


def settings() -> dict[str, str]:
    """What is set for the whole process, and would change what other code computes."""
    return {
        "default_dtype": str(torch.get_default_dtype()),
        "threads": str(torch.get_num_threads()),
        "matmul_precision": str(torch._C._get_float32_matmul_precision()),
        "deterministic": str(torch.are_deterministic_algorithms_enabled()),
        "cudnn.benchmark": str(torch.backends.cudnn.benchmark),
        "cudnn.deterministic": str(torch.backends.cudnn.deterministic),
        "cudnn.allow_tf32": str(torch.backends.cudnn.allow_tf32),
    }


def drawn() -> str:
    """A digest of the states of the random generators: it differs where another number of draws was made."""
    told = hashlib.sha256(bytes(torch.get_rng_state().tolist()))
    told.update(repr(random.getstate()).encode())
    for number, generator in enumerate(torch.cuda.default_generators):  # none before CUDA starts
        state = generator.get_offset(), generator.initial_seed()
        if state != (0, torch.initial_seed()):
            told.update(repr((number, *state)).encode())
    return told.hexdigest()[:12]


def _class(value: Any) -> str:
    order = f" of {', '.join(map(str, value))}" if isinstance(value, Mapping) else ""
    return f"{type(value).__qualname__}{order}"


def _strides(tensor: torch.Tensor) -> str:
    return str(tuple(step for step, size in zip(tensor.stride(), tensor.shape, strict=True) if size > 1))
