"""What tells that a tensor is strided: operators that raise for every other layout, as the installed torch does."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("torch")

import torch
from differential.judging import rewritten

from breaklint.analysis.layouts import FLOATING_ALONE, KEEPING, KEEPING_WHOLE, REFUSING, REFUSING_COMPARED
from breaklint.model import Applicability

DTYPES = [torch.float32, torch.float64, torch.half, torch.bfloat16, torch.int64, torch.uint8, torch.bool]
DTYPES += [torch.complex64]
MODEL = """\
import torch

class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        y = x * 2.0
        return y if {test} else -y
"""


def others(dtype: torch.dtype) -> Iterator[torch.Tensor]:
    """Tensors of a dtype in every layout but the strided one, and nested ones, as far as torch makes them."""
    for shape in ((), (4,), (4, 4), (2, 4, 4), (0,)):
        base = torch.ones(shape).to(dtype)
        makers: list[Callable[[torch.Tensor], torch.Tensor]] = [
            lambda t: t.to_sparse(),
            lambda t: t.to_sparse(1),
            lambda t: t.to_sparse_csr(),
            lambda t: t.to_sparse_csc(),
            lambda t: t.to_sparse_bsr((2, 2)),
            lambda t: t.to_sparse_bsc((2, 2)),
            lambda t: (t * 0).to_sparse(),
            lambda t: t.to_mkldnn(),
            lambda t: torch.nested.nested_tensor([t, t]),
        ]
        for make in makers:
            try:
                yield make(base)
            except (RuntimeError, NotImplementedError, IndexError):
                continue


def tried(name: str, tensor: torch.Tensor) -> list[torch.Tensor]:
    """What an operator gives as a method and as a function, nothing where it raises."""
    given = []
    for call in (getattr(torch.Tensor, name), getattr(torch, name, None)):
        try:
            given += [call(tensor)] if call is not None else []
        except (RuntimeError, NotImplementedError):
            continue
    return given


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("name", sorted(REFUSING))
def test_an_operator_that_counts_as_refusing_raises_for_every_other_layout(name: str) -> None:
    assert not [each.layout for dtype in DTYPES for each in others(dtype) if tried(name, each)]
    assert tried(name, torch.ones(3))


@pytest.mark.parametrize("name", sorted(KEEPING))
def test_an_operator_that_counts_as_keeping_gives_no_strided_tensor_of_another_layout(name: str) -> None:
    given = [(each, made) for dtype in DTYPES for each in others(dtype) for made in tried(name, each)]
    assert not [each.layout for each, made in given if made.layout is torch.strided and not made.is_nested]


@pytest.mark.parametrize("name", sorted(REFUSING_COMPARED))
@pytest.mark.parametrize("compare", [operator.gt, operator.ne])
def test_an_operator_refuses_what_is_compared_with_a_number(name: str, compare: Callable[..., torch.Tensor]) -> None:
    for each in (tensor for dtype in DTYPES for tensor in others(dtype)):
        for number in (0, 0.5, 2):
            with pytest.raises((RuntimeError, NotImplementedError)):
                getattr(compare(each, number), name)()


def test_torch_where_refuses_every_other_layout() -> None:
    for each in (tensor for dtype in DTYPES for tensor in others(dtype)):
        with pytest.raises((RuntimeError, NotImplementedError)):
            torch.where(torch.tensor(True), each, each)


@pytest.mark.parametrize(
    ("test", "safe"),
    [
        ("x.mean() > 0", True),
        ("x.abs().max() > 1", True),
        ("torch.isfinite(x).all()", True),
        ("(x > 0).all()", True),
        ("(x.abs() != 1).any()", True),
        ("(x.sum() > 0).any()", False),
        ("x.sum() > 0", False),  # of sparse tensors too
        ("torch.isnan(x).any()", False),
        ("x.norm() > 1", False),
    ],
)
def test_a_branch_becomes_a_selection_safely_where_its_condition_refuses_sparse_tensors(test: str, safe: bool) -> None:
    fixes = rewritten(MODEL.format(test=test), {}, True).fixes
    found = [fix for kind, fix in fixes if kind == "torch-where"]
    assert [fix.applicability is Applicability.SAFE for fix in found] == [safe]


@pytest.mark.parametrize("name", sorted(FLOATING_ALONE))
def test_an_operator_that_counts_as_one_of_floating_numbers_raises_for_all_others(name: str) -> None:
    whole = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.uint16, torch.uint32, torch.bool]
    for dtype in whole:
        for tensor in (torch.ones(3).to(dtype), torch.ones(2, 0).to(dtype), torch.tensor(1).to(dtype)):
            kept = [made for keeping in sorted(KEEPING_WHOLE) for made in tried(keeping, tensor)]
            assert not [each for each in (tensor, *kept) if tried(name, each)]
    assert tried(name, torch.ones(3))


OF_UNKNOWN = """\
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(3, 3)

    def forward(self, x):
        h = self.lin(x)
        return {choice} + 1
"""


@pytest.mark.parametrize(
    ("choice", "safe"),
    [
        ("(h * 2 if h.mean() > 0 else h * 3)", True),
        ("(h * 3 if torch.std(h.abs()) > 0 else h / 2)", False),  # of complex numbers too
        ("(h * 2 if h.detach().mean() > 0 else h / 2)", True),
        ("(h * 2 if h.max() > 0 else h / 2)", False),  # of integers too
        ("(h * 2 if x.mean() > 0 else h / 2)", False),
        ("(h * 2 if h.sqrt().mean() > 0 else h / 2)", False),
        ("(h * 2 if (h > 0).sum() > 0 else h / 2)", False),
        ("(h * 2 if h.mean() > 0 else torch.relu(h))", False),  # which quantized tensors have, and torch.where not
        ("(h - True if h.mean() > 0 else h * 2)", False),  # raises
    ],
)
def test_a_condition_that_refuses_integers_tells_that_numbers_are_floating(choice: str, safe: bool) -> None:
    fixes = rewritten(OF_UNKNOWN.format(choice=choice), {}, True).fixes
    found = [fix for kind, fix in fixes if kind == "torch-where"]
    assert [fix.applicability is Applicability.SAFE for fix in found] == [safe]
