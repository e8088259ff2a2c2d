"""Cases of pythae."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["pythae"]


def autoencoder(name: str, **options):
    from pythae import models
    from pythae.data.datasets import DatasetOutput

    settings = getattr(models, f"{name}Config")(input_dim=(1, 12, 12), latent_dim=4, **options)
    return getattr(models, name.rstrip("_"))(settings), (DatasetOutput(data=torch.rand(4, 1, 12, 12)),)


def case_vae():
    return autoencoder("VAE", reconstruction_loss="bce")


def case_beta_tc():
    return autoencoder("BetaTCVAE")


def case_hamiltonian_vae():
    return autoencoder("HVAE", n_lf=1)


def case_iwae():
    return autoencoder("IWAE", number_samples=2)


def case_vq_vae():
    return autoencoder("VQVAE", num_embeddings=8)


def case_vq_vae_ema():
    return autoencoder("VQVAE", num_embeddings=8, use_ema=True)


def case_wae():
    return autoencoder("WAE_MMD_")


def case_spherical_vae():
    return autoencoder("SVAE")


def case_vamp():
    return autoencoder("VAMP", number_components=3)


def case_riemannian_vae():
    return autoencoder("RHVAE", n_lf=1)


def case_poincare_vae():
    return autoencoder("PoincareVAE")


def case_info_vae():
    return autoencoder("INFOVAE_MMD_")


def case_rae_gp():
    return autoencoder("RAE_GP_")


def case_factor_vae():
    return autoencoder("FactorVAE")


def case_vae_iaf():
    return autoencoder("VAE_IAF_", n_made_blocks=1)


def case_msssim_vae():
    return autoencoder("MSSSIM_VAE")


def case_disentangled_vae():
    return autoencoder("DisentangledBetaVAE")
