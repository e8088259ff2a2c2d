"""Conditions of which one part is a flag, and code that only some runs reach."""

from __future__ import annotations

import pytest
from harness import findings, marked, model

CASES = {
    "an operand behind a flag is asked when the flag is set": """
        if self.use_flag and x.sum() > 0:  # BRK301
            x = x * 2
        return x
    """,
    "one behind a test of the dtype for that dtype": """
        if x.dtype == torch.float16 and torch.isinf(x).any():  # BRK301
            x = x.clamp(-1, 1)
        return x
    """,
    "an if of its own behind a flag breaks where it runs": """
        if self.training:
            if x.sum() > 0:  # BRK301
                x = x * 2
        return x
    """,
    "a test of the type says that what follows applies": """
        if isinstance(x, torch.Tensor) and x.sum() > 0:  # BRK301
            x = x * 2
        return x
    """,
    "two tensors": """
        if x.sum() > 0 and x.mean() > 0:  # BRK303 BRK301
            x = x * 2
        return x
    """,
    "a number that a loop adds tensors to": """
        total = 0
        for part in x.chunk(2):
            total = total + part.mean()
        if total > 0:  # BRK301
            x = x * 2
        return x
    """,
    "a number that a branch may replace by a tensor": """
        scale = 1.0
        if self.training:
            scale = x.mean()
        if scale != 1.0:
            x = x * scale
        return x
    """,
    "NumPy on a layer's plain numbers": """
        return x / float(np.sqrt(self.linear.in_features))
    """,
    "a condition that always stops at a constant": """
        tracing = torch.compiler.is_compiling()
        tracing |= self.training
        if tracing:
            return x
        print(x)
        return x
    """,
    "a flag before one that is known to be off": """
        if mask is not None and not torch.compiler.is_compiling():
            print(x)
        if self.training and not torch.compiler.is_compiling():
            print(x)
        if not (torch.jit.is_tracing() or self.training or torch.compiler.is_compiling()):
            print(x)
        if self.training and torch.compiler.is_compiling():
            print(x)  # BRK101
        return x
    """,
    "a number that may be another one": """
        parts = self.parts or 2
        if parts == 2:
            return x
        print(x)  # BRK101
        return x
    """,
    "a tensor before a flag that is known to be off is still asked": """
        if x.sum() > 0 and not torch.compiler.is_compiling():  # BRK303
            print(x)
        return x
    """,
}


@pytest.mark.parametrize("forward", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(forward: str) -> None:
    assert findings(model(forward)) == marked(model(forward))


def test_type_checking_code_never_runs() -> None:
    text = model("if TYPE_CHECKING:\n    print(x)\nreturn x").replace(
        "import torch\n", "import torch\nfrom typing import TYPE_CHECKING\n", 1
    )
    assert findings(text) == []


def test_a_module_that_a_function_defines_is_traced() -> None:
    text = (
        "import torch\n\ndef build():\n    class Net(torch.nn.Module):\n        def forward(self, x):\n"
        "            return x[x > 0]\n    return Net()\n"
    )
    assert findings(text) == [(6, "BRK401")]
