"""The rank that inference gives a result is the one that torch gives it, for sizes of one as well."""

from __future__ import annotations

import contextlib
import itertools

import pytest
import torch
from harness import INSTALLED_TORCH

from breaklint.interp.arguments import Arguments
from breaklint.interp.models.torch_results import of_fact
from breaklint.interp.values import Const, Tensor
from breaklint.torchops.facts import for_target

SHAPES = ((), (3,), (1,), (1, 3), (3, 3), (1, 1), (2, 1, 3))
GIVEN = {
    "nothing": (),
    "a dimension": (0,),
    "a vector": (torch.ones(3),),
    "a matrix": (torch.ones(3, 3),),
    "a number": (torch.tensor(1.0),),
}
ELSEWHERE = frozenset({"repeat"})  # tensor_methods.py tells what these give
METHODS = sorted(
    name
    for name in for_target(INSTALLED_TORCH).table["methods"]
    if not name.endswith("_") and hasattr(torch.Tensor, name) and name not in ELSEWHERE
)


def _value(given: object) -> Const | Tensor:
    if not isinstance(given, torch.Tensor):
        return Const(given)
    return Tensor("float" if given.is_floating_point() else "int", given.ndim)


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_a_known_rank_is_that_of_torch(given: tuple[object, ...]) -> None:
    known, compared, wrong = for_target(INSTALLED_TORCH), 0, []
    for name, shape in itertools.product(METHODS, SHAPES):
        fact = known.method(name)
        match = of_fact(fact, name, Arguments([Tensor("float", len(shape)), *map(_value, given)], {})) if fact else None
        if not isinstance(match, Tensor) or match.ndim is None:
            continue
        with contextlib.suppress(Exception):  # arguments that the operator refuses
            result = getattr(torch.ones(shape), name)(*given)
            compared += 1
            if isinstance(result, torch.Tensor) and result.ndim != match.ndim:
                wrong.append(f"{name} of {shape}: {result.ndim}, not {match.ndim}")
    assert compared > 50
    assert wrong == []
