"""Sizes that NumPy reduces out of a row of numbers are reduced by Python."""

from __future__ import annotations

from typing import Any

import pytest
from writing import applicability, findings, fixed, model

torch = pytest.importorskip("torch")

HEAD = "import numpy as np\nimport torch"
PLAN = "plan = [2, 1, 0]\n"
MADE = "return x.sum() + torch.from_numpy(np.{0}({1}))"
WRITTEN = {
    "the sum of a list": (PLAN + MADE.format("zeros", "(3, np.sum(plan))"), "(3, sum(plan))"),
    "the sum of a part of it": (PLAN + MADE.format("ones", "(3, np.sum(plan[:2]))"), "(3, sum(plan[:2]))"),
    "the largest of a tuple": ("plan = 2, 3\n" + MADE.format("zeros", "np.max(plan)"), "zeros(max(plan))"),
    "a product": (PLAN + MADE.format("zeros", "[3, np.prod(plan)]"), "[3, math.prod(plan)]"),
    "items from outside, as a shape": ("plan = [self.k]\n" + MADE.format("ones", "(2, np.sum(plan))"), "sum(plan)"),
    "items from outside, counted": (
        "plan = [self.k]\nfor _ in range(np.sum(plan)):\n    x = x + 1\nreturn x",
        "range(sum(plan))",
    ),
    "how often a loop runs": (
        PLAN + "for _ in range(np.sum(plan)):\n    x = x + 1\nreturn x",
        "range(sum(plan))",
    ),
}
LEFT = {
    "a row of rows": "plan = [[1, 2], [3]]\n" + MADE.format("zeros", "(3, np.sum(plan))"),
    "a set": "plan = {1, 2}\n" + MADE.format("zeros", "(3, np.sum(plan))"),
    "an array": "plan = np.array([1, 2])\n" + MADE.format("zeros", "(3, np.sum(plan))"),
    "tensors": "plan = [x.sum(), x.max()]\n" + MADE.format("zeros", "(3, np.sum(plan))"),
    "along an axis": PLAN + MADE.format("zeros", "(3, np.sum(plan, 0))"),
    "of a dtype": PLAN + MADE.format("zeros", "(3, np.sum(plan, dtype=np.int8))"),
    "nothing known": MADE.format("zeros", "(3, np.sum(self.plan))"),
    "a bound that may be no integer": "plan = [self.k]\n" + MADE.format("arange", "np.sum(plan)"),
    "Python's sum hidden": "sum = max\n" + PLAN + MADE.format("zeros", "(3, np.sum(plan))"),
}


@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=WRITTEN)
def test_the_size_is_computed_by_python(before: str, after: str) -> None:
    written = fixed(before, head=HEAD)
    assert after in written
    assert fixed(written, head=HEAD) == written
    assert applicability(before, head=HEAD) == "unsafe"


@pytest.mark.parametrize("body", LEFT.values(), ids=LEFT)
def test_other_sizes_are_left(body: str) -> None:
    assert fixed(body, head=HEAD) == body


def outcome(body: str, k: Any) -> Any:
    """What the model gives, or the type of the error."""
    namespace: dict[str, Any] = {}
    exec(compile(model(body, head=f"import math\n{HEAD}"), "model.py", "exec"), namespace)
    net = namespace["Net"]()
    net.k = k
    try:
        return net(torch.ones(2)).tolist()
    except (TypeError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize("k", [0, 3, True, -1, 2.0, 1.5, "2", None])
@pytest.mark.parametrize("before", [before for before, _ in WRITTEN.values()], ids=WRITTEN)
def test_the_model_gives_the_same_for_every_number(before: str, k: Any) -> None:
    expected, found = outcome(before, k), outcome(fixed(before, head=HEAD), k)
    assert found == expected or (isinstance(found, type) and isinstance(expected, type))


def test_it_compiles_whole() -> None:
    namespace: dict[str, Any] = {}
    exec(compile(model(fixed(WRITTEN["the sum of a list"][0], head=HEAD), head=HEAD), "model.py", "exec"), namespace)
    net = namespace["Net"]()
    compiled = torch.compile(net, backend="eager", fullgraph=True)
    assert torch.equal(compiled(torch.ones(2)), net(torch.ones(2)))


@pytest.mark.parametrize(("name", "expected"), [("prod", "safe"), ("product", "unsafe")])
def test_a_function_that_numpy_no_longer_has_is_never_replaced_safely(name: str, expected: str) -> None:
    (found,) = findings(f"return x * int(np.{name}(x.shape))", head=HEAD)
    assert found.fix is not None
    assert found.fix.applicability.value == expected
    assert ("NumPy 2 has no" in found.fix.why) == (name == "product")
