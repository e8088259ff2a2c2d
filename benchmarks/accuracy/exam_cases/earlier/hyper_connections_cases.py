"""Cases of hyper_connections."""

from __future__ import annotations

import torch

PACKAGES = ["hyper_connections"]


def case_hyper_connections():
    from hyper_connections import HyperConnections

    return HyperConnections(4, dim=16, branch=torch.nn.Linear(16, 16)), (torch.randn(8, 4, 16),)


def case_manifold_hyper_connections():
    from hyper_connections.manifold_constrained_hyper_connections import ManifoldConstrainedHyperConnections

    return ManifoldConstrainedHyperConnections(4, dim=16, branch=torch.nn.Linear(16, 16)), (torch.randn(8, 4, 16),)


def case_hyper_vit():
    from hyper_connections.vit import ViT

    return ViT(image_size=16, patch_size=8, num_classes=4, dim=16, depth=1, heads=2, mlp_dim=16, dim_head=8), (
        torch.randn(1, 3, 16, 16),
    )
