"""AntixK/PyTorch-VAE: models and their losses."""

import torch
from exam_surroundings import absent, inside

absent("torchvision", "pytorch_lightning")
inside("PyTorch-VAE")

from models import (
    DIPVAE,
    HVAE,
    IWAE,
    MIWAE,
    SWAE,
    VQVAE,
    BetaTCVAE,
    BetaVAE,
    CategoricalVAE,
    FactorVAE,
    GammaVAE,
    InfoVAE,
    JointVAE,
    LogCoshVAE,
    VampVAE,
    VanillaVAE,
)

PACKAGES = ["PyTorch-VAE"]
SIZES = [4, 4, 4, 4, 512]


def images():
    return torch.rand(2, 3, 64, 64)


def trained(model):
    """A compiled training step of a model with its loss."""
    optimizer = torch.optim.Adam(model.parameters())

    @torch.compile
    def step(x):
        results = model(x, labels=None)
        loss = model.loss_function(*results, M_N=0.1, optimizer_idx=0, batch_idx=0)
        optimizer.zero_grad()
        loss["loss"].backward()
        optimizer.step()
        return loss

    return step, (images(),)


def losses(model):
    results = [each.detach() if torch.is_tensor(each) else each for each in model(images())]
    return torch.compile(model.loss_function), results, {"M_N": 0.1, "batch_idx": 0, "optimizer_idx": 0}


def case_vanilla():
    return trained(VanillaVAE(3, 4, SIZES.copy()))


def case_vanilla_loss():
    return losses(VanillaVAE(3, 4, SIZES.copy()))


def case_beta():
    return losses(BetaVAE(3, 4, SIZES.copy()))


def case_beta_tc():
    return losses(BetaTCVAE(3, 4))


def case_categorical():
    model = CategoricalVAE(3, 4, 5, SIZES.copy())
    return torch.compile(model.loss_function), [*model(images())], {"M_N": 0.1, "batch_idx": 100}


def case_dip():
    return losses(DIPVAE(3, 4, SIZES.copy()))


def case_factor():
    model = FactorVAE(3, 4, SIZES.copy())
    return torch.compile(model), (images(),)


def case_gamma():
    return torch.compile(GammaVAE(3, 4, SIZES.copy())), (images(),)


def case_hvae():
    return torch.compile(HVAE(3, 4, 4, SIZES.copy())), (images(),)


def case_info():
    return losses(InfoVAE(3, 4, SIZES.copy()))


def case_iwae():
    return losses(IWAE(3, 4, SIZES.copy(), num_samples=2))


def case_miwae():
    return torch.compile(MIWAE(3, 4, SIZES.copy(), num_samples=2, num_estimates=2)), (images(),)


def case_joint():
    model = JointVAE(3, 4, 5, hidden_dims=SIZES.copy())
    return torch.compile(model.loss_function), [*model(images())], {"M_N": 0.1, "batch_idx": 1}


def case_log_cosh():
    return losses(LogCoshVAE(3, 4, SIZES.copy()))


def case_swae():
    return losses(SWAE(3, 4, SIZES.copy(), num_projections=5))


def case_vamp():
    model = VampVAE(3, 4, SIZES.copy(), num_components=3)
    return torch.compile(model), (images(),)


def case_vq():
    return torch.compile(VQVAE(3, 4, 8, [4, 4])), (images(),)


def case_sample():
    model = VanillaVAE(3, 4)
    return torch.compile(model.sample), (2, "cpu")
