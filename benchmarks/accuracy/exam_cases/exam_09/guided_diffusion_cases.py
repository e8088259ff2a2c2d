"""Cases of guided-diffusion."""

from __future__ import annotations

import sys

import kornia.filters
import kornia.utils
import torch
from exam_surroundings import ABSENT, absent, inside
from scipy.spatial.transform import Rotation

PACKAGES = ["guided-diffusion"]


kornia.filters.filter2D = kornia.filters.filter2d  # its name when GIRAFFE was written


Rotation.as_dcm = Rotation.as_matrix  # likewise


sys.modules["kornia.utils.grid"] = kornia.utils  # where LoFTR looks for a function of it


absent(*ABSENT["exam_09_b"])


def case_guided_diffusion_unet():
    inside("guided-diffusion")
    from guided_diffusion.unet import UNetModel

    model = UNetModel(
        16,
        3,
        32,
        3,
        1,
        (2,),
        channel_mult=(1, 2),
        num_classes=4,
        use_checkpoint=True,
        use_scale_shift_norm=True,
        resblock_updown=True,
    )
    return model, (torch.randn(2, 3, 16, 16), torch.tensor([1, 7]), torch.tensor([0, 2]))


def case_guided_diffusion_super_resolution():
    inside("guided-diffusion")
    from guided_diffusion.unet import SuperResModel

    model = SuperResModel(
        16, 3, 32, 3, 1, (2,), channel_mult=(1, 2), num_head_channels=16, use_new_attention_order=True
    )
    return model, (torch.randn(2, 3, 16, 16), torch.tensor([1, 7])), {"low_res": torch.randn(2, 3, 8, 8)}


def case_guided_diffusion_classifier():
    inside("guided-diffusion")
    from guided_diffusion.unet import EncoderUNetModel

    model = EncoderUNetModel(16, 3, 32, 5, 1, (2,), channel_mult=(1, 2), pool="spatial_v2")
    return model, (torch.randn(2, 3, 16, 16), torch.tensor([1, 7]))


def case_guided_diffusion_losses():
    inside("guided-diffusion")
    from guided_diffusion.script_util import create_gaussian_diffusion

    class Losses(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = torch.nn.Conv2d(3, 6, 1)
            self.diffusion = create_gaussian_diffusion(steps=20, learn_sigma=True)

        def denoise(self, x, t):
            return self.net(x)

        def forward(self, x, t, noise):
            return self.diffusion.training_losses(self.denoise, x, t, noise=noise)["loss"]

    return Losses(), (torch.randn(2, 3, 8, 8), torch.tensor([1, 7]), torch.randn(2, 3, 8, 8))


def case_guided_diffusion_step():
    inside("guided-diffusion")
    from guided_diffusion.script_util import create_gaussian_diffusion

    diffusion, net = create_gaussian_diffusion(steps=20, timestep_respacing="5"), torch.nn.Conv2d(3, 3, 1)
    return diffusion.p_sample, (lambda x, t: net(x), torch.randn(2, 3, 8, 8), torch.tensor([1, 3]))
