"""Cases of pytorch_tcn."""

from __future__ import annotations

import torch

PACKAGES = ["pytorch_tcn"]


def case_tcn():
    from pytorch_tcn import TCN

    return TCN(num_inputs=3, num_channels=[4, 4], use_skip_connections=True), (torch.randn(1, 3, 16),)


def case_tcn_inference():
    from pytorch_tcn import TCN

    return TCN(num_inputs=3, num_channels=[4, 4]), (torch.randn(1, 3, 16),), {"inference": True}


def case_tcn_embeddings():
    from pytorch_tcn import TCN

    return TCN(num_inputs=3, num_channels=[4, 4], embedding_shapes=[(2,)], use_gate=True), (
        torch.randn(1, 3, 16),
        torch.randn(1, 2),
    )
