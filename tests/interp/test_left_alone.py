"""What Dynamo does not trace, and what is guarded on purpose."""

from __future__ import annotations

import pytest
from harness import findings, marked

LEFT_ALONE = {
    "function that is never compiled": """
import torch
def evaluate(x):
    print(x.item())
    return x
""",
    "class of another library that is called Module": """
import torch
from injector import Module
class Net(object):
    def forward(self, x):
        print(x)
        return x
""",
    "compile of another module": """
import re
import torch
pattern = re.compile("x")
def step(x):
    print(x)
    return x
""",
    "torch._dynamo.disable under another name": """
import torch
import torch._dynamo as dynamo
class Net(torch.nn.Module):
    @dynamo.disable
    def forward(self, x):
        print(x)
        return x
""",
    "is_scripting": """
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        if torch.jit.is_scripting():
            print(x)
        return x
""",
}


@pytest.mark.parametrize("source", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_nothing_is_found(source: str) -> None:
    assert findings(source) == []


AUTOGRAD = """
import torch
class Clamp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(0)
    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (x > 0)
class Net(torch.nn.Module):
    def forward(self, x):
        return Clamp.apply(x)
"""


def test_an_autograd_function_is_no_region_of_its_own() -> None:
    alone = AUTOGRAD.partition("class Net")[0].replace("ctx.save", "print(x)\n        ctx.save")
    assert findings(alone) == []


def test_the_forward_of_an_applied_autograd_function_is_traced() -> None:
    assert findings(AUTOGRAD) == []
    broken = AUTOGRAD.replace("        ctx.save", "        print(x)  # BRK101\n        ctx.save")
    assert findings(broken) == marked(broken)


def test_the_forward_of_a_function_applied_to_a_row_of_unknown_length_is_traced() -> None:
    broken = AUTOGRAD.replace("        ctx.save", "        print(x)  # BRK101\n        ctx.save")
    starred = broken.replace("def forward(ctx, x):", "def forward(ctx, x, *rest):").replace(
        "Clamp.apply(x)", "Clamp.apply(x, *self.parameters())"
    )
    assert findings(starred) == marked(starred)
