"""Make the inputs that specs describe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from breaklint.verify.targets.specs import is_spec, read_spec


def made(value: Any, sizes: Mapping[str, int]) -> Any:
    """A value of the configuration with every spec in it replaced by a random tensor, and named sizes by numbers.

    Raises:
        SpecError: a spec cannot be read, or names a size that `sizes` lacks.
    """
    if isinstance(value, str):
        return random_tensor(value, sizes) if is_spec(value) else sizes.get(value, value)
    if isinstance(value, Mapping):
        return {key: made(inner, sizes) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [made(inner, sizes) for inner in value]
    return value


def random_tensor(
    text: str, sizes: Mapping[str, int], generator: torch.Generator | None = None, scale: int = 1
) -> torch.Tensor:
    """One tensor, every size `scale` times as large: normal floats, integers evenly from their range, even booleans."""
    spec = read_spec(text)
    shape, dtype = [size * scale for size in spec.sizes(sizes)], getattr(torch, spec.dtype)
    if dtype is torch.bool:
        return torch.randint(0, 2, shape, generator=generator).bool()
    if spec.low is not None and spec.high is not None:
        return torch.randint(spec.low, spec.high, shape, generator=generator, dtype=dtype)
    wide = dtype if dtype.is_complex else torch.float32
    return torch.randn(shape, generator=generator, dtype=wide).to(dtype)
