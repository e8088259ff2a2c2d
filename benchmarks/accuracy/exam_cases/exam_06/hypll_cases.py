"""Cases of hypll."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["hypll"]


class OnBall(nn.Module):
    """A layer on a Poincaré ball, of points that are mapped there."""

    def __init__(self, make) -> None:
        super().__init__()
        from hypll.manifolds.poincare_ball import Curvature, PoincareBall

        self.manifold = PoincareBall(c=Curvature())
        self.layer = make(self.manifold)

    def forward(self, x):
        from hypll.tensors import TangentTensor

        tangents = TangentTensor(data=x, man_dim=1, manifold=self.manifold)
        return self.layer(self.manifold.expmap(tangents)).tensor


def hyperbolic(name: str, *sizes, shape=(4, 8), **options):
    import hypll.nn

    return OnBall(lambda manifold: getattr(hypll.nn, name)(*sizes, manifold=manifold, **options)), (torch.randn(shape),)


def case_hyperbolic_linear():
    return hyperbolic("HLinear", 8, 4)


def case_hyperbolic_linear_without_bias():
    return hyperbolic("HLinear", 8, 4, bias=False)


def case_hyperbolic_relu():
    return hyperbolic("HReLU")


def case_hyperbolic_convolution():
    return hyperbolic("HConvolution2d", 3, 4, 3, shape=(2, 3, 6, 6))


def case_hyperbolic_max_pool():
    return hyperbolic("HMaxPool2d", 2, shape=(2, 3, 6, 6))


def case_hyperbolic_mean_pool():
    return hyperbolic("HAvgPool2d", 2, shape=(2, 3, 6, 6))


def case_hyperbolic_batch_norm():
    return hyperbolic("HBatchNorm", 8)


def case_hyperbolic_batch_norm_of_images():
    return hyperbolic("HBatchNorm2d", 3, shape=(2, 3, 4, 4))


class Distance(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        from hypll.manifolds.poincare_ball import Curvature, PoincareBall

        self.manifold = PoincareBall(c=Curvature())

    def forward(self, x, y):
        from hypll.tensors import TangentTensor

        a = self.manifold.expmap(TangentTensor(data=x, man_dim=1, manifold=self.manifold))
        b = self.manifold.expmap(TangentTensor(data=y, man_dim=1, manifold=self.manifold))
        return self.manifold.dist(a, b)


def case_hyperbolic_distance():
    return Distance(), (torch.randn(4, 8), torch.randn(4, 8))


def case_hyperbolic_embedding():
    import hypll.nn
    from hypll.manifolds.poincare_ball import Curvature, PoincareBall

    class Embedded(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = hypll.nn.HEmbedding(10, 4, PoincareBall(c=Curvature()))

        def forward(self, x):
            return self.embedding(x).tensor

    return Embedded(), (torch.randint(0, 10, (4,)),)
