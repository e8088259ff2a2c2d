"""Cases of multivae."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_d"])


import multivae.models as multivae  # noqa: E402
from multivae.data.datasets.base import IncompleteDataset, MultimodalBaseDataset  # noqa: E402

PACKAGES = ["multivae"]


def modalities(name: str, config, *, partly=False, **options):
    """A model of multivae and a batch of two modalities."""
    model = getattr(multivae, name)(
        getattr(multivae, config)(n_modalities=2, latent_dim=4, input_dims={"a": (6,), "b": (1, 8, 8)}, **options)
    )
    data = {"a": torch.rand(3, 6), "b": torch.rand(3, 1, 8, 8)}
    if partly:
        return model, (
            IncompleteDataset(data, {"a": torch.tensor([1, 0, 1]).bool(), "b": torch.tensor([1, 1, 0]).bool()}),
        )
    return model, (MultimodalBaseDataset(data),)


def case_multivae_mvae():
    return modalities("MVAE", "MVAEConfig")


def case_multivae_mvae_incomplete():
    return modalities("MVAE", "MVAEConfig", partly=True)


def case_multivae_mmvae():
    return modalities("MMVAE", "MMVAEConfig", K=2)


def case_multivae_mmvae_incomplete():
    return modalities("MMVAE", "MMVAEConfig", K=2, partly=True)


def case_multivae_mopoe():
    return modalities("MoPoE", "MoPoEConfig")


def case_multivae_mopoe_incomplete():
    return modalities("MoPoE", "MoPoEConfig", partly=True)


def case_multivae_jmvae():
    return modalities("JMVAE", "JMVAEConfig")


def case_multivae_telbo():
    return modalities("TELBO", "TELBOConfig")


def case_multivae_mvtcae():
    return modalities("MVTCAE", "MVTCAEConfig")


def case_multivae_crmvae():
    return modalities("CRMVAE", "CRMVAEConfig")


def case_multivae_mmvae_plus():
    return modalities("MMVAEPlus", "MMVAEPlusConfig", modalities_specific_dim=2, K=2)


def case_multivae_dmvae():
    return modalities("DMVAE", "DMVAEConfig", modalities_specific_dim={"a": 2, "b": 2})
