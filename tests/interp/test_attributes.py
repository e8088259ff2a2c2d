"""What a module holds: attributes, buffers, parameters and submodules."""

from __future__ import annotations

import pytest
from harness import findings, marked

NET = """\
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
"""

ATTRIBUTES = {
    "a tensor set in the constructor": """
    def __init__(self):
        super().__init__()
        self.k = torch.ones(())
    def forward(self, x):
        if self.k > 2:  # BRK301
            return x * 2
        return x
""",
    "a buffer": """
    def __init__(self):
        super().__init__()
        self.register_buffer("k", torch.ones(()))
    def forward(self, x):
        if self.k > 2:  # BRK301
            return x * 2
        return x
""",
    "a parameter": """
    def __init__(self):
        super().__init__()
        self.k = nn.Parameter(torch.ones(()))
    def forward(self, x):
        if self.k > 2:  # BRK301
            return x * 2
        return x
""",
    "an attribute set by a method of the constructor": """
    def __init__(self):
        super().__init__()
        self.build()
    def build(self):
        self.k = nn.Parameter(torch.ones(()))
    def forward(self, x):
        return x * self.k.item()  # BRK201
""",
    "an attribute of the class": """
    k = 3
    def forward(self, x):
        if self.k > 2:
            return x * 2
        return x
""",
    "the weight of a layer": """
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)
    def forward(self, x):
        return x * self.linear.weight.sum().item()  # BRK201
""",
    "the sizes of a layer": """
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)
    def forward(self, x):
        if self.linear.in_features == x.shape[-1]:
            return self.linear(x)
        return x
""",
    "an attribute set in forward": """
    def forward(self, x):
        self.total = x.sum()
        if self.total > 0:  # BRK301
            return x * 2
        return x
""",
    "setattr and getattr with a computed name": """
    def __init__(self):
        super().__init__()
        for i in range(2):
            setattr(self, f"gain{i}", nn.Parameter(torch.ones(())))
    def forward(self, x):
        for i in range(2):
            if getattr(self, f"gain{i}") > 2:  # BRK301
                x = x * 2
        return x
""",
    "getattr with a default": """
    def forward(self, x):
        if getattr(self, "flag", False):
            return x * 2
        return x
""",
    "a property": """
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)
    @property
    def norm(self):
        return self.linear.weight.norm()
    @property
    def width(self):
        return self.linear.weight.shape[0]
    def forward(self, x):
        if self.norm > 1 :  # BRK301
            return x * 2
        return x if self.width > 2 else -x
""",
    "a configuration object": """
    def __init__(self, config):
        super().__init__()
        self.config = config
    def forward(self, x):
        if self.config.scale > 1 and not self.config.flag:
            return x * self.config.scale
        return x
""",
}

MODULES = {
    "a module list": """
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(2)])
    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i > 0 and len(self.layers) > 1:
                x = x * 2
        return x * self.layers[0](x).mean().item()  # BRK201
""",
    "a module dict": """
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"a": nn.Linear(8, 8)})
    def forward(self, x):
        if "a" in self.heads:
            x = x * self.heads["a"](x).sum().item()  # BRK201
        return x
""",
    "the constructor's choice of activation": """
    def __init__(self, act_layer=nn.ReLU, drop=0.0):
        super().__init__()
        self.act = act_layer()
        self.drop = nn.Dropout(drop) if drop > 0 else nn.Identity()
    def forward(self, x):
        return self.drop(self.act(x))
""",
    "a submodule that may be missing": """
    def __init__(self, use=False):
        super().__init__()
        self.extra = nn.Linear(8, 8) if use else None
    def forward(self, x):
        if self.extra:
            x = self.extra(x)
        return x
""",
    "parameters of the module": """
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)
    def forward(self, x):
        for p in self.parameters():
            if p.requires_grad and p.ndim > 1:
                x = x + p.sum()
        return x
""",
}
METHODS = {**ATTRIBUTES, **MODULES}


@pytest.mark.parametrize("methods", METHODS.values(), ids=METHODS)
def test_found_exactly_where_marked(methods: str) -> None:
    assert findings(NET + methods) == marked(NET + methods)
