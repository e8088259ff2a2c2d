"""Cases of SPADE."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["SPADE"]


def f(*shape):
    return torch.randn(*shape)


def case_spade():
    inside("SPADE")
    spade = importlib.import_module("models.networks.normalization").SPADE
    return spade("spadebatch3x3", 8, 4), (f(1, 8, 16, 16), f(1, 4, 8, 8))


def spade_options(**more):
    return SimpleNamespace(**{
        "norm_G": "spectralspadeinstance3x3", "norm_E": "spectralinstance", "norm_D": "spectralinstance",
        "ngf": 4, "ndf": 4,
        "nef": 4, "semantic_nc": 4, "label_nc": 4, "output_nc": 3, "crop_size": 64, "aspect_ratio": 1.0,
        "use_vae": True,
        "z_dim": 8, "num_upsampling_layers": "normal", "netD_subarch": "n_layer", "num_D": 2, "n_layers_D": 3,
        "no_ganFeat_loss": False, "contain_dontcare_label": False, "no_instance": True, **more,
    })  # fmt: skip


def case_spade_generator():
    inside("SPADE")
    model = importlib.import_module("models.networks.generator").SPADEGenerator(spade_options())
    return model, (f(1, 4, 64, 64), f(1, 8))


def case_spade_discriminator():
    inside("SPADE")
    model = importlib.import_module("models.networks.discriminator").MultiscaleDiscriminator(spade_options())
    return model, (f(1, 7, 64, 64),)


def case_spade_encoder():
    inside("SPADE")
    return importlib.import_module("models.networks.encoder").ConvEncoder(spade_options()), (f(1, 3, 80, 80),)


class GanLoss(torch.nn.Module):
    def __init__(self, loss):
        super().__init__()
        self.loss = loss

    def forward(self, first, second):
        return self.loss([[first], [second]], True, for_discriminator=False)


def case_spade_hinge():
    inside("SPADE")
    loss = importlib.import_module("models.networks.loss").GANLoss("hinge", tensor=torch.FloatTensor, opt=None)
    return GanLoss(loss), (f(1, 1, 4, 4), f(1, 1, 2, 2))


def case_spade_original():
    inside("SPADE")
    loss = importlib.import_module("models.networks.loss").GANLoss("original", tensor=torch.FloatTensor, opt=None)
    return GanLoss(loss), (f(1, 1, 4, 4), f(1, 1, 2, 2))
