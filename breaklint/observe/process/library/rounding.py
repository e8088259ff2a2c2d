"""Equality of results that are computed in another order."""

from __future__ import annotations

import torch

RELATIVE, ABSOLUTE = 1e-4, 1e-5


def close(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Are two tensors equal up to rounding: small elements are sums of large ones, so what counts is the largest."""
    if not (one.is_floating_point() or one.is_complex()):
        return torch.equal(one, other)
    sizes = torch.nan_to_num(one.abs(), nan=0.0, posinf=0.0)
    scale = max(1.0, float(sizes.max())) if one.numel() else 1.0
    return torch.allclose(one, other, equal_nan=True, rtol=RELATIVE, atol=ABSOLUTE * scale)
