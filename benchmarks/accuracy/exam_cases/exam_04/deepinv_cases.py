"""Cases of deepinv."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from deepinv.physics import Blur, BlurFFT
from torch import nn

PACKAGES = ["deepinv"]


def image(*size: int) -> torch.Tensor:
    return torch.rand(size or (1, 1, 16, 16))


def case_median_filter():
    from deepinv.models import MedianFilter

    return MedianFilter(3), (image(),)


def case_total_variation():
    from deepinv.models import TVDenoiser

    return TVDenoiser(n_it_max=3), (image(), 0.1)


def case_generalized_variation():
    from deepinv.models import TGVDenoiser

    return TGVDenoiser(n_it_max=3), (image(), 0.1)


def case_bilateral():
    from deepinv.models import BilateralFilter

    return BilateralFilter(), (image(),)


def case_dncnn():
    from deepinv.models import DnCNN

    return DnCNN(1, 1, depth=3, nf=4, pretrained=None), (image(),)


def case_drunet():
    from deepinv.models import DRUNet

    return DRUNet(1, 1, nc=(4, 4, 4, 4), nb=1, pretrained=None), (image(), 0.1)


def case_drunet_padded():
    from deepinv.models import DRUNet

    return DRUNet(1, 1, nc=(4, 4, 4, 4), nb=1, pretrained=None), (image(1, 1, 17, 33), torch.tensor([0.1]))


def case_convex():
    from deepinv.models import ICNN

    return ICNN(1, num_filters=4, kernel_dim=3, num_layers=2), (image(),)


def case_unet_of_inverse_problems():
    from deepinv.models import UNet

    return UNet(1, 1, scales=2, channels_per_scale=[4, 8]), (image(),)


def case_modl():
    from deepinv.models import DnCNN, MoDL
    from deepinv.physics import Denoising

    physics = Denoising()
    return MoDL(DnCNN(1, 1, depth=3, nf=4, pretrained=None), num_iter=2), (image(), physics)


def case_artifact_removal():
    from deepinv.models import ArtifactRemoval, DnCNN
    from deepinv.physics import Inpainting

    physics = Inpainting((1, 16, 16), mask=0.5)
    return ArtifactRemoval(DnCNN(1, 1, depth=3, nf=4, pretrained=None)), (image(), physics)


def case_blur():
    from deepinv.physics import Blur

    return Blur(filter=torch.rand(1, 1, 3, 3), padding="circular"), (image(),)


class BlurFftInverse(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.physics = BlurFFT((1, 16, 16), filter=torch.rand(1, 1, 3, 3))

    def forward(self, x):
        return self.physics.A_dagger(x)


def case_blur_fft_inverse():
    return BlurFftInverse(), (image(),)


class BlurInverse(nn.Module):
    def forward(self, x):
        return Blur(filter=torch.rand(1, 1, 3, 3), padding="circular", max_iter=3).A_dagger(x)


def case_blur_inverse():
    return BlurInverse(), (image(),)


def case_inpainting():
    from deepinv.physics import GaussianNoise, Inpainting

    return Inpainting((1, 16, 16), mask=0.5, noise_model=GaussianNoise(0.1)), (image(),)


def case_mri():
    from deepinv.physics import MRI

    return MRI(mask=torch.ones(16, 16), img_size=(1, 2, 16, 16)), (image(1, 2, 16, 16),)


def case_tomography():
    from deepinv.physics import Tomography

    return Tomography(angles=4, img_width=16), (image(),)


def case_poisson_noise():
    from deepinv.physics import PoissonGaussianNoise

    return PoissonGaussianNoise(), (image(),)


def case_salt_and_pepper():
    from deepinv.physics import SaltPepperNoise

    return SaltPepperNoise(), (image(),)


def case_compressed_sensing():
    from deepinv.physics import CompressedSensing

    return CompressedSensing(8, (1, 16, 16)), (image(),)


def case_sure():
    from deepinv.loss import SureGaussianLoss
    from deepinv.models import MedianFilter
    from deepinv.physics import Denoising

    y = image()
    return (
        SureGaussianLoss(0.1),
        (),
        {"y": y, "x_net": y * 0.9, "physics": Denoising(), "model": lambda y, physics: MedianFilter(3)(y)},
    )


def case_equivariant_loss():
    from deepinv.loss import EILoss
    from deepinv.models import MedianFilter
    from deepinv.physics import Denoising
    from deepinv.transform import Shift

    return (
        EILoss(Shift()),
        (),
        {"x_net": image(), "physics": Denoising(), "model": lambda y, physics: MedianFilter(3)(y)},
    )


def case_splitting_loss():
    from deepinv.loss import SplittingLoss
    from deepinv.models import ArtifactRemoval, DnCNN
    from deepinv.physics import Inpainting

    physics = Inpainting((1, 16, 16), mask=0.5)
    model = SplittingLoss(split_ratio=0.5).adapt_model(ArtifactRemoval(DnCNN(1, 1, depth=3, nf=4, pretrained=None)))
    return model, (image(), physics), {"update_parameters": True}


def case_psnr():
    from deepinv.loss.metric import PSNR

    return PSNR(max_pixel=None), (image(), image())


def case_rotated():
    from deepinv.transform import Rotate

    return Rotate(multiples=90), (image(),)


def case_plug_and_play():
    from deepinv.models import MedianFilter
    from deepinv.optim import optim_builder
    from deepinv.optim.data_fidelity import L2
    from deepinv.optim.prior import PnP
    from deepinv.physics import Denoising

    model = optim_builder(
        "PGD",
        data_fidelity=L2(),
        prior=PnP(denoiser=MedianFilter(3)),
        max_iter=2,
        params_algo={"stepsize": 1.0, "g_param": 0.1},
    )
    return model, (image(), Denoising())


def case_unfolded():
    from deepinv.models import DnCNN
    from deepinv.optim.data_fidelity import L2
    from deepinv.optim.prior import PnP
    from deepinv.physics import Denoising
    from deepinv.unfolded import unfolded_builder

    prior = PnP(denoiser=DnCNN(1, 1, depth=3, nf=4, pretrained=None))
    model = unfolded_builder(
        "HQS", data_fidelity=L2(), prior=prior, max_iter=2, params_algo={"stepsize": 1.0, "g_param": 0.1, "lambda": 1.0}
    )
    return model, (image(), Denoising())
