"""rosinality/glow-pytorch: a flow, its loss and its way back."""

import sys

import torch
from exam_surroundings import absent, inside

absent("torchvision", "PIL")
inside("glow-pytorch")

from model import ActNorm, Glow, InvConv2d

arguments, sys.argv = sys.argv, ["train.py", "."]
from train import calc_loss

sys.argv = arguments

PACKAGES = ["glow-pytorch"]


def glow():
    return Glow(3, 1, 2, conv_lu=False)


def case_model():
    return torch.compile(glow()), (torch.rand(2, 3, 8, 8),)


def case_loss():
    model = glow()

    @torch.compile
    def loss_of(image):
        log_p, logdet, _ = model(image)
        return calc_loss(log_p, logdet, 8, 32.0)

    return loss_of, (torch.rand(2, 3, 8, 8),)


def case_reverse():
    model = glow()
    model(torch.rand(2, 3, 8, 8))
    reverse = torch.compile(model.reverse)
    return reverse, ([torch.rand(2, 6, 4, 4), torch.rand(2, 24, 2, 2)],)


def case_act_norm():
    return torch.compile(ActNorm(3)), (torch.rand(2, 3, 4, 4),)


def case_convolution():
    return torch.compile(InvConv2d(3)), (torch.rand(2, 3, 4, 4),)
