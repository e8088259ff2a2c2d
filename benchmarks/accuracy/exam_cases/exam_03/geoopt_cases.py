"""Cases of geoopt."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["geoopt"]


class OnManifold(torch.nn.Module):
    def __init__(self, manifold) -> None:
        super().__init__()
        import geoopt

        self.manifold = manifold
        self.bias = geoopt.ManifoldParameter(torch.zeros(4), manifold=manifold)

    def forward(self, x):
        moved = self.manifold.expmap0(x)
        return self.manifold.dist(moved, self.manifold.expmap0(self.bias)), self.manifold.projx(moved)


def case_poincare():
    import geoopt

    return OnManifold(geoopt.PoincareBall()), (torch.randn(3, 4) * 0.1,)


def case_lorentz():
    import geoopt

    return OnManifold(geoopt.Lorentz()), (torch.randn(3, 4) * 0.1,)
