"""Cases of xlstm."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["xlstm"]


def case_xlstm():
    import xlstm

    mlstm = xlstm.mLSTMBlockConfig(
        mlstm=xlstm.mLSTMLayerConfig(conv1d_kernel_size=4, qkv_proj_blocksize=4, num_heads=2)
    )
    config = xlstm.xLSTMBlockStackConfig(mlstm_block=mlstm, context_length=8, num_blocks=2, embedding_dim=16)
    return xlstm.xLSTMBlockStack(config), (torch.randn(2, 8, 16),)


def case_slstm():
    import xlstm

    layer = xlstm.sLSTMLayerConfig(backend="vanilla", num_heads=2, conv1d_kernel_size=4)
    slstm = xlstm.sLSTMBlockConfig(slstm=layer, feedforward=xlstm.FeedForwardConfig(proj_factor=1.3))
    config = xlstm.xLSTMBlockStackConfig(
        slstm_block=slstm, context_length=4, num_blocks=1, embedding_dim=16, slstm_at=[0]
    )
    return xlstm.xLSTMBlockStack(config), (torch.randn(2, 4, 16),)
