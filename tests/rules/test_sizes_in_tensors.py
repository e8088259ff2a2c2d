"""A size that goes through a tensor breaks the graph once it varies; measured on Dynamo."""

from __future__ import annotations

import pytest

from breaklint.lint.engine import check_source
from breaklint.model import Settings

TEXT = """\
import torch
import torch.nn.functional as F


@torch.compile(backend="eager")
def run(x):
    n = torch.tensor(x.shape[0])
    return x.sum(), {use}
"""
VARIES = "the size varies"
BREAKING = [
    "x.new_zeros(n, 2)", "torch.zeros(size=(n, 3))", "x.narrow(0, 0, n)", "F.pad(x, (0, n))", "x.view(n, 4)",
    "x[n - 1]", "torch.arange(n // 2)", "x.sum(1).roll(n)", "F.one_hot(torch.arange(3), n)",
]  # fmt: skip
KEPT = ["x * n", "torch.clamp(x, max=n)", "torch.pow(x, n)", "torch.linspace(0, n, 5)"]


def whens(use: str) -> list[str]:
    return [finding.when for finding in check_source(TEXT.format(use=use), "net.py", Settings()).findings]


def breaks(use: str) -> list[int]:
    """How often the graph breaks for the first size, and for the second."""
    import torch
    from torch._dynamo.utils import counters

    names: dict[str, object] = {}
    exec(TEXT.format(use=use), names)
    torch._dynamo.reset()
    counted = []
    for size in (5, 7):
        counters.clear()
        names["run"](torch.randn(size, 4))  # type: ignore[operator]
        counted.append(sum(counters["graph_break"].values()))
    return counted


@pytest.mark.parametrize("use", BREAKING)
def test_a_size_in_a_tensor_is_reported_for_sizes_that_vary(use: str) -> None:
    assert whens(use) == [VARIES]


@pytest.mark.parametrize("use", KEPT)
def test_operators_that_take_tensors_keep_it_in_the_graph(use: str) -> None:
    assert whens(use) == []


def test_a_number_of_a_constant_or_of_a_size_may_be_one_of_a_size() -> None:
    assert whens("x.new_zeros(n if x.dim() == 2 else torch.tensor(3))") == [VARIES]


@pytest.mark.nightly
@pytest.mark.parametrize("use", BREAKING + KEPT)
def test_dynamo_breaks_at_the_second_size(use: str) -> None:
    assert breaks(use) == [0, int(use in BREAKING)]


def test_an_unknown_number_is_one_that_dynamo_knows() -> None:
    text = TEXT.replace("run(x)", "run(x, h)").replace("torch.tensor(x.shape[0])", "torch.ceil(torch.tensor(h) / 4)")
    assert check_source(text.format(use="x.new_zeros(n.to(torch.int64), 2)"), "net.py", Settings()).findings == ()
