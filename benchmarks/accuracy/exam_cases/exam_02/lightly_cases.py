"""Cases of lightly."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["lightly"]


def loss(name: str, *args, **options):
    import lightly.loss

    return getattr(lightly.loss, name)(**options), args or (torch.randn(8, 16), torch.randn(8, 16))


def case_barlow_twins():
    return loss("BarlowTwinsLoss")


def case_decoupled():
    return loss("DCLWLoss")


def case_dino():
    return loss("DINOLoss", [torch.randn(4, 16)] * 2, [torch.randn(4, 16)] * 3, output_dim=16)


def case_patches():
    mask = torch.rand(4, 2, 2) > 0.5
    n = int(mask.sum())
    return loss("IBOTPatchLoss", torch.randn(n, 16), torch.randn(n, 16), mask, output_dim=16)


def case_koleo():
    return loss("KoLeoLoss", torch.randn(8, 16))


def case_masked_siamese():
    return loss("MSNLoss", torch.randn(8, 16), torch.randn(4, 16), torch.randn(5, 16))


def case_negatives():
    return loss("NTXentLoss")


def case_negatives_of_memory():
    return loss("NTXentLoss", memory_bank_size=(32, 16))


def case_swav():
    return loss("SwaVLoss", [torch.randn(4, 16)] * 2, [torch.randn(4, 16)] * 2)


def case_tico():
    return loss("TiCoLoss")


def case_vicreg():
    return loss("VICRegLoss")


def case_whitened():
    return loss("WMSELoss", torch.randn(16, 4), embedding_dim=4, w_size=8)


def case_maximum_manifold():
    return loss("MMCRLoss", torch.randn(4, 2, 16), torch.randn(4, 2, 16))


def case_small_batches():
    return loss("MACLLoss")


def case_prototypes():
    from lightly.models.modules.heads import SwaVPrototypes

    return SwaVPrototypes(8, [4, 5], n_steps_frozen_prototypes=2), (torch.randn(4, 8), 1)


def case_dino_head():
    from lightly.models.modules.heads import DINOProjectionHead

    return DINOProjectionHead(8, 8, 4, 16), (torch.randn(4, 8),)
