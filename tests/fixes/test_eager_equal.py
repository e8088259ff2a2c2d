"""Unsafe fixes without compiling: results are equal for ordinary inputs (test_differential.py tests safe fixes)."""

from __future__ import annotations

import itertools
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from writing import fixed, model

torch = pytest.importorskip("torch")

HEAD = (
    "import copy\nimport math\nimport random\nimport warnings\n\n"
    "import numpy as np\nimport torch\nfrom torch.autograd import Variable"
)

UNSAFE = {
    "random number": "return x * random.random()",
    "a number as divisor": "s = x.abs().sum().item()\nreturn x / (s + 1)",
    "a number compared": "return torch.where(x > x.mean().item(), x, torch.zeros_like(x))",
    "numbers unpacked": "lo, hi = x.min().item(), x.max().item()\nreturn (x - lo) / (hi - lo + 1)",
    "a count": "return x / float((x > 0).sum() + 1)",
    "a whole number": "return x * int(x.abs().sum())",
    "a bound": "return torch.clamp(x, max=x.mean().item())",
    "a sum over turns": "total = 0.0\nfor _ in [1, 2]:\n    x = x * 2\n    total += x.mean().item()\nreturn x * total",
    "a branch on a number": "if x.mean().item() > 0:\n    return torch.relu(x)\nreturn torch.sigmoid(x)",
    "a branch": "if x.sum() > 0:\n    y = x * 2\nelse:\n    y = torch.exp(-x)\nreturn y",
    "no else": "y = x * 2\nif y.sum() > 0:\n    y = y * 3\nreturn y",
    "several names": "if x.sum() > 0:\n    a = x * 2\n    b = -x\nelse:\n    b = x\n    a = x * 3\nreturn a + b.exp()",
    "elif": "if x.sum() > 1:\n    return x\nelif x.mean() < 0:\n    return -x\nelse:\n    return x * 2",
    "and, not": "return x * 2 if x.sum() > 0 and not x.max() > 2 else x * 3",
    "two numbers": "scale = 2.0 if x.sum() > 0 else 0.5\nreturn x * scale",
    "a check": "if x.isnan().any():\n    raise ValueError('NaN')\nreturn x * 2",
    "masked sum": "return (x[x > 0] * 2).sum()",
    "masked mean": "m = x > 0\nreturn torch.abs(x[m] - 1).mean()",
    "masked store": "y = x * 2\nm = x > 0\ny[m] = x[m] * 3\nreturn y",
    "masked change": "y = x * 2\ny[x > 0] *= 3\nreturn y",
    "held masked mean": "m = x > 0\ny = x[m] * 2\nreturn (y ** 2).mean() + y.sum()",
    "held masked sum": "d = x - 1\nm = x > 0\nd = d[m]\nreturn d.abs().sum()",
    "masked store in place": "y = x * 2\nz = y\ny[x > 0] = (x * 3)[x > 0]\nreturn y + z",
    "stored numbers": "y = torch.zeros(2)\ny[0] = x.sum().item()\ny[1] += x.max().item()\nreturn x.mean() * y",
    "bounded number": "return x / max(x.sum().item(), 1.0)",
    "number in place": "y = x * 2\ny.div_(x.abs().sum().item() + 1)\nreturn y",
}


def ordinary() -> Iterator[Any]:
    """Inputs of common shapes and floating dtypes, for both outcomes of a branch."""
    generator = torch.Generator().manual_seed(0)
    for shape, dtype, sign in itertools.product([(3, 5), (4, 1, 7)], [torch.float32, torch.float64], (1, -1)):
        yield (torch.randn(shape, generator=generator, dtype=torch.float64).abs() * sign + 0.1).to(dtype)
        yield torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype)


def built(source: str) -> Callable[[Any], Any]:
    namespace: dict[str, Any] = {}
    exec(compile(source, "model.py", "exec"), namespace)
    forward: Callable[[Any], Any] = namespace["Net"]()
    return forward


def outcome(forward: Callable[[Any], Any], given: Any, gradient: bool) -> list[Any]:
    """Output, gradient, the input afterwards, and the error's type and text."""
    x = given.clone().requires_grad_(gradient and given.dtype.is_floating_point)
    random.seed(0)
    torch.manual_seed(0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = forward(x)
        remaining = result.requires_grad
        if remaining:
            result.sum().backward()
        return [result.detach(), x.grad, x.detach(), remaining]
    except Exception as error:  # noqa: BLE001 - whatever it is, it must be the same on both sides
        return [type(error), str(error).partition("\n")[0]]


def assert_same(old: list[Any], new: list[Any]) -> None:
    assert len(old) == len(new), (old, new)
    for one, other in zip(old, new, strict=True):
        if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
            torch.testing.assert_close(other, one, equal_nan=True)
        else:
            assert one == other or (one is other), (old, new)


@pytest.mark.parametrize("body", UNSAFE.values(), ids=UNSAFE)
def test_an_unsafe_fix_changes_nothing_for_ordinary_inputs(body: str) -> None:
    after = fixed(body, head=HEAD)
    assert after != body
    old, new = built(model(body, head=HEAD)), built(model(after, head=HEAD))
    for given, gradient in itertools.product(ordinary(), (False, True)):
        assert_same(outcome(old, given, gradient), outcome(new, given, gradient))
