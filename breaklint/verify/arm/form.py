"""What a result is besides its values: classes, devices and strides.

Runs inside an arm's process. Everything is given as text by place, so that a difference reads as one line.
"""

from __future__ import annotations

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
    strided = {place: t for place, t in tensors if t.layout == torch.strided and t.numel()}
    return {
        place: _strides(t) + (" made for inference only" if t.is_inference() else "") for place, t in strided.items()
    }


def _class(value: Any) -> str:
    order = f" of {', '.join(map(str, value))}" if isinstance(value, Mapping) else ""
    return f"{type(value).__qualname__}{order}"


def _strides(tensor: torch.Tensor) -> str:
    return str(tuple(step for step, size in zip(tensor.stride(), tensor.shape, strict=True) if size > 1))
