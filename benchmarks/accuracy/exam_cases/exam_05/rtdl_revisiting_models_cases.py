"""Cases of rtdl_revisiting_models."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["rtdl_revisiting_models"]


def case_rtdl_ft():
    from rtdl_revisiting_models import FTTransformer

    model = FTTransformer(
        n_cont_features=3, cat_cardinalities=[4, 5], d_out=2, n_blocks=1, d_block=8, attention_n_heads=2,
        attention_dropout=0.1, ffn_d_hidden=8, ffn_d_hidden_multiplier=None, ffn_dropout=0.1, residual_dropout=0.0,
    )  # fmt: skip
    return model, (torch.rand(4, 3), torch.randint(0, 4, (4, 2)))


def case_rtdl_resnet():
    from rtdl_revisiting_models import ResNet

    return (
        ResNet(d_in=4, d_out=1, n_blocks=2, d_block=8, d_hidden_multiplier=2.0, dropout1=0.1, dropout2=0.0),
        (torch.rand(4, 4),),
    )
