import torch

from model import Net


def test_forward() -> None:
    assert Net()(torch.randn(8, 64)).shape == (8, 64)
