"""When the results of a library's model, compiled and not, count as equal."""

from __future__ import annotations

import pytest
import torch

from breaklint.observe.process.library.rounding import close

LARGE = torch.tensor([1744.0, 0.0, -900.0])


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (LARGE, LARGE + torch.tensor([0.0, 5e-4, 0.0]), True),  # a sum of large elements that cancel
        (LARGE, LARGE + torch.tensor([0.0, 0.5, 0.0]), False),
        (LARGE / 1e6, LARGE / 1e6 + 1e-4, False),  # small elements only
        (torch.tensor([float("nan"), float("inf")]), torch.tensor([float("nan"), float("inf")]), True),
        (torch.tensor([float("inf"), 1.0]), torch.tensor([float("inf"), 2.0]), False),
        (torch.tensor([1, 2]), torch.tensor([1, 3]), False),
        (torch.tensor([True]), torch.tensor([False]), False),
        (torch.zeros(0), torch.zeros(0), True),
    ],
)
def test_rounding_is_measured_by_the_largest_element(one: torch.Tensor, other: torch.Tensor, equal: bool) -> None:
    assert close(one, other) == equal
