"""What a test tells about a name in the branch behind it, and where a branch cannot be taken at all."""

from __future__ import annotations

import pytest
from harness import findings, marked

HEAD = """\
import torch
from typing import Optional, Union


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = None
        self.gain = torch.nn.Parameter(torch.ones(()))

"""
CASES = {
    "0 is not None": """
    def forward(self, x):
        rank = 0
        if rank is not None:
            if x.sum() > rank:  # BRK301
                return x * 2
        return x
""",
    "is not None": """
    def forward(self, x, mask: Optional[torch.Tensor] = None):
        if mask is not None:
            if mask.sum() > 0:  # BRK301
                return x * 2
        return x
""",
    "is None, then a default": """
    def forward(self, x, mask: Optional[torch.Tensor] = None):
        if mask is None:
            mask = torch.ones_like(x)
        if mask.sum() > 0:  # BRK301
            return x * 2
        return x
""",
    "is None, then return": """
    def forward(self, x, mask: Optional[torch.Tensor] = None):
        if mask is None:
            return x
        return x * mask.sum().item()  # BRK201
""",
    "an attribute that stays None": """
    def forward(self, x):
        if self.bias is not None:
            print(x)
        return x
""",
    "isinstance leaves the number": """
    def forward(self, x, scale: Union[torch.Tensor, float] = 1.0):
        if isinstance(scale, float):
            if scale > 2:
                return x
            return x * scale
        return x * scale.item()  # BRK201
""",
    "isinstance finds the tensor": """
    def forward(self, x, scale: Union[torch.Tensor, float] = 1.0):
        if isinstance(scale, torch.Tensor):
            return x * 2 if scale > 0 else x  # BRK301
        return x
""",
    "torch.is_tensor": """
    def forward(self, x, scale: Union[torch.Tensor, float] = 1.0):
        if not torch.is_tensor(scale):
            return x * 2 if scale > 0 else x
        return x * 2 if scale > 0 else x  # BRK301
""",
    "a tensor that is made is not None": """
    def forward(self, x):
        y = x.sum()
        if y is None:
            print(y)
        return y
""",
    "while narrows as if does": """
    def forward(self, x, mask: Optional[torch.Tensor] = None):
        while mask is not None:
            x = x * mask.sum().item()  # BRK201
            mask = None
        return x
""",
    "an assertion narrows": """
    def forward(self, x, mask: Optional[torch.Tensor] = None):
        assert mask is not None
        return x * mask.sum().item()  # BRK201
""",
    "a tensor need not be a parameter": """
    def forward(self, x):
        y = x * 2
        if isinstance(y, torch.nn.Parameter):
            return y
        return x * y.sum().item()  # BRK201
""",
    "a tensor need not be of the dtype of a type": """
    def forward(self, x):
        y = x.long()
        if isinstance(y, torch.FloatTensor):
            return y
        return x * y.sum().item()  # BRK201
""",
    "a number in one branch only is not a tensor for sure": """
    def forward(self, x, flag: bool = False):
        y = x.mean() if flag else 3
        if isinstance(y, int):
            return x
        return x * 2
""",
    "code after a return is not reached": """
    def forward(self, x):
        return x
        print(x)
""",
    "a walrus that may be None": """
    def forward(self, x, options: Optional[dict] = None):
        if (options or {}).get("flag"):
            return x * 2
        return x
""",
    "what is called on a test for None is not a tensor test": """
    def forward(self, x, mask: Optional[torch.Tensor] = None, other: Optional[torch.Tensor] = None):
        if (mask is None) != (other is None) or not (mask is None or other is None):
            raise ValueError("both or none")
        return x
""",
}


@pytest.mark.parametrize("forward", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(forward: str) -> None:
    assert findings(HEAD + forward) == marked(HEAD + forward)
