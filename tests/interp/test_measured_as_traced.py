"""What looked like data and is not: every case was measured on Dynamo, which does not break."""

from __future__ import annotations

import pytest
from harness import findings, marked

CASES = {
    "methods chosen by name are not those that Python calls itself": """
class Net(torch.nn.Module):
    def __init__(self, mode):
        super().__init__()
        self.mode = mode
        self.layer = torch.nn.Linear(2, 2)
    def _near(self, x):
        return self.layer(x)
    def _far(self, x):
        return x.mean().item() * x  # BRK201
    def forward(self, x):
        return getattr(self, "_" + self.mode)(x)
""",
    "a tensor by one annotation and a dict by another": """
class Block(torch.nn.Module):
    def forward(self, x: torch.Tensor, cache: dict[str, torch.Tensor] | None = None):
        cache = cache or {}
        return x * len(cache)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
    def forward(self, x: torch.Tensor, cache: dict[str, torch.Tensor] | None = None):
        cache = cache or {}
        return self.block(x, cache.get("block"))
""",
    "a pair that callers pass": """
class Bias(torch.nn.Module):
    def forward(self, window):
        return torch.zeros(window[0] * window[1] + 1)
class Net(torch.nn.Module):
    def __init__(self, patch):
        super().__init__()
        self.patch, self.bias = patch, Bias()
    def forward(self, x: torch.Tensor, size: tuple[int, int]):
        height, width = size
        return x + self.bias((height // self.patch, width // self.patch))
""",
    "torch computes with sizes": """
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x.new_zeros(torch.div(x.size(0), 2, rounding_mode="floor"))
""",
    "a copy of an unknown object": """
import copy
class Net(torch.nn.Module):
    def __init__(self, options):
        super().__init__()
        self.options = options
    def forward(self, x: torch.Tensor):
        options, sizes = copy.copy(self.options), copy.copy([1, 2])  # BRK606
        return x * options.scale
""",
    "einops under the name of its module": """
from einops.einops import rearrange
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return torch.where(rearrange(x > 0, "b c -> c b"))  # BRK402
""",
    "the places of what is not zero, without sizes of one": """
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        places = x.flatten().nonzero().squeeze()  # BRK402
        if places.dim() == 0:
            return x * places.item()  # BRK201
        return x
""",
}


@pytest.mark.parametrize("source", CASES.values(), ids=CASES)
def test_what_breaks_is_found_and_nothing_else(source: str) -> None:
    text = "import torch\n" + source
    assert findings(text) == marked(text)
