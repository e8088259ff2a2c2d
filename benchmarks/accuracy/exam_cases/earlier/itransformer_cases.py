"""Cases of iTransformer."""

from __future__ import annotations

import torch

PACKAGES = ["iTransformer"]


def case_itransformer():
    from iTransformer import iTransformer

    model = iTransformer(
        num_variates=5,
        lookback_len=12,
        dim=16,
        depth=1,
        heads=2,
        dim_head=8,
        pred_length=(2, 4),
        use_reversible_instance_norm=True,
    )
    return model, (torch.randn(2, 12, 5),)


def case_itransformer_targets():
    from iTransformer import iTransformer

    model = iTransformer(
        num_variates=5,
        lookback_len=12,
        dim=16,
        depth=1,
        heads=2,
        dim_head=8,
        pred_length=(2, 4),
        num_tokens_per_variate=1,
        use_reversible_instance_norm=False,
    )
    model.train()
    return model, (torch.randn(2, 12, 5), (torch.randn(2, 2, 5), torch.randn(2, 4, 5)))


def case_itransformer_2d():
    from iTransformer import iTransformer2D

    model = iTransformer2D(
        num_variates=5,
        num_time_tokens=4,
        lookback_len=12,
        dim=16,
        depth=1,
        heads=2,
        dim_head=8,
        pred_length=(2, 4),
        use_reversible_instance_norm=True,
    )
    return model, (torch.randn(2, 12, 5),)


def case_itransformer_fft():
    from iTransformer import iTransformerFFT

    model = iTransformerFFT(
        num_variates=5,
        lookback_len=12,
        dim=16,
        depth=1,
        heads=2,
        dim_head=8,
        pred_length=(2, 4),
        use_reversible_instance_norm=True,
    )
    return model, (torch.randn(2, 12, 5),)
