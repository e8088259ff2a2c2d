"""Cases of vector_quantize_pytorch."""

from __future__ import annotations

import torch

PACKAGES = ["vector_quantize_pytorch"]


def codes(name: str, x=None, **options):
    import vector_quantize_pytorch as vq

    return getattr(vq, name)(**options), (torch.randn(2, 6, 8) if x is None else x,)


def case_codebook():
    return codes("VectorQuantize", dim=8, codebook_size=16)


def case_codebook_of_heads():
    return codes("VectorQuantize", dim=8, codebook_size=16, heads=2, use_cosine_sim=True, threshold_ema_dead_code=2)


def case_codebook_from_clusters():
    return codes("VectorQuantize", dim=8, codebook_size=4, kmeans_init=True, kmeans_iters=2, rotation_trick=True)


def case_codebook_that_learns():
    return codes("VectorQuantize", dim=8, codebook_size=16, learnable_codebook=True, ema_update=False)


def case_residual_codes():
    return codes("ResidualVQ", dim=8, num_quantizers=3, codebook_size=16, quantize_dropout=True)


def case_codes_of_groups():
    return codes("GroupedResidualVQ", dim=8, groups=2, num_quantizers=2, codebook_size=16)


def case_finite_codes():
    return codes("FSQ", levels=[4, 3, 3], dim=8)


def case_codes_without_lookup():
    return codes("LFQ", dim=8, codebook_size=16, entropy_loss_weight=0.1)


def case_residual_codes_without_lookup():
    return codes("ResidualLFQ", dim=8, num_quantizers=2, codebook_size=16)


def case_residual_finite_codes():
    return codes("ResidualFSQ", levels=[4, 3, 3], num_quantizers=2, dim=8)


def case_simple_codes():
    return codes("SimVQ", dim=8, codebook_size=16)


def case_random_codes():
    return codes("RandomProjectionQuantizer", dim=8, codebook_size=16, codebook_dim=4, num_codebooks=2)


def case_latent_codes():
    return codes("LatentQuantize", torch.randn(2, 8, 4, 4), levels=[4, 4], dim=8)
