"""What a generated model is called with: every shape, dtype, kind of value, layout and alias that may matter."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from hypothesis import strategies as st

SHAPES = [(), (0,), (1,), (3,), (5,), (1, 1), (3, 5), (2, 3), (0, 4), (4, 0), (4, 1, 3), (2, 3, 4)]
FLOATS = [torch.float32, torch.float32, torch.float64, torch.float16, torch.bfloat16]
OTHERS = [torch.int64, torch.int32, torch.uint8, torch.bool, torch.complex64]
FILLS = [
    "mixed",
    "mixed",
    "positive",
    "negative",
    "zeros",
    "minus zero",
    "nan",
    "inf",
    "minus inf",
    "tiny",
    "huge",
    "whole",
]
LAYOUTS = ["plain", "plain", "plain", "transposed", "strided", "offset", "expanded"]
PAIRINGS = ["separate", "separate", "separate", "same object", "view", "one element", "other dtype"]
MODES = ["grad", "grad", "grad", "no_grad", "inference"]
SPECIAL = {"nan": float("nan"), "inf": float("inf"), "minus inf": -float("inf")}


@dataclass(frozen=True)
class Call:
    """One call `forward(x, y)`. `gradient`: none of the inputs needs one, leaves do, or computed tensors do; `change`
    is what the caller does with the result."""

    shape: tuple[int, ...]
    dtype: torch.dtype
    fill: str
    layout: str
    pairing: str
    gradient: str
    mode: str
    seed: int

    def tensors(self) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
        """New copies of the arguments, and the leaves among or behind them."""
        generator = torch.Generator().manual_seed(self.seed)
        x = self._laid_out(self._filled(generator, self.shape, self.dtype))
        leaves = [x]
        x = self._needing_gradient(x, leaves)
        y = self._partner(x, generator, leaves)
        return [x, y], leaves

    def _partner(self, x: torch.Tensor, generator: torch.Generator, leaves: list[torch.Tensor]) -> torch.Tensor:
        if self.pairing == "same object":
            return x
        if self.pairing == "view":
            return x.view_as(x) if self.gradient == "computed" or not x.requires_grad else x.detach()
        shape = (1,) * len(self.shape) if self.pairing == "one element" else self.shape
        dtype = torch.float64 if self.pairing == "other dtype" else self.dtype
        y = self._filled(generator, shape, dtype)
        leaves.append(y)
        return self._needing_gradient(y, leaves)

    def _needing_gradient(self, tensor: torch.Tensor, leaves: list[torch.Tensor]) -> torch.Tensor:
        if self.gradient == "none" or not (tensor.is_floating_point() or tensor.is_complex()):
            return tensor
        leaves[-1] = tensor.requires_grad_()
        return tensor * 1 if self.gradient == "computed" else tensor

    def _filled(self, generator: torch.Generator, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        values = torch.randn(shape, generator=generator, dtype=torch.float64) * 2
        if self.fill in ("positive", "negative"):
            values = values.abs() * (1 if self.fill == "positive" else -1)
        elif self.fill in ("zeros", "minus zero"):
            values = values * 0 * (-1 if self.fill == "minus zero" else 1)
        elif self.fill in ("tiny", "huge"):
            values = values * (1e-6 if self.fill == "tiny" else 3e4)
        elif self.fill == "whole":
            values = values.round()
        tensor = (values.abs() if dtype == torch.uint8 else values).to(dtype)
        if self.fill in SPECIAL and tensor.numel() and (tensor.is_floating_point() or tensor.is_complex()):
            tensor.view(-1)[self.seed % tensor.numel()] = SPECIAL[self.fill]
        return tensor

    def _laid_out(self, tensor: torch.Tensor) -> torch.Tensor:
        """The same values at other places in memory."""
        if tensor.dim() == 0 or self.layout == "plain":
            return tensor
        if self.layout == "transposed":
            return tensor.transpose(0, -1).contiguous().transpose(0, -1)
        if self.layout == "expanded":
            return tensor[:1].expand(tensor.shape) if len(tensor) else tensor
        step = 2 if self.layout == "strided" else 1
        wide = tensor.new_zeros((len(tensor) * step + 1, *tensor.shape[1:]))
        place = wide[1 : 1 + len(tensor) * step : step]
        return place.copy_(tensor)


def calls(shapes: list[tuple[int, ...]] = SHAPES) -> st.SearchStrategy[Call]:
    """Calls with tensors of these shapes; floating ones more often than others."""
    return st.builds(
        Call,
        shape=st.sampled_from(shapes),
        dtype=st.sampled_from([*FLOATS, *FLOATS, *OTHERS]),
        fill=st.sampled_from(FILLS),
        layout=st.sampled_from(LAYOUTS),
        pairing=st.sampled_from(PAIRINGS),
        gradient=st.sampled_from(["none", "leaves", "computed"]),
        mode=st.sampled_from(MODES),
        seed=st.integers(0, 7),
    )
