"""Cases of denoising_diffusion_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["denoising_diffusion_pytorch"]


def image(channels: int = 3, size: int = 64, n: int = 2) -> torch.Tensor:
    return torch.rand(n, channels, size, size)


def case_diffusion():
    from denoising_diffusion_pytorch import GaussianDiffusion, Unet

    model = GaussianDiffusion(Unet(dim=8, dim_mults=(1, 2), flash_attn=False), image_size=16, timesteps=4)
    return model, (image(size=16),)


def case_denoiser():
    from denoising_diffusion_pytorch import Unet

    return Unet(dim=8, dim_mults=(1, 2), self_condition=True), (image(size=16), torch.tensor([1, 2]))


def case_diffusion_of_sequences():
    from denoising_diffusion_pytorch import GaussianDiffusion1D, Unet1D

    model = GaussianDiffusion1D(Unet1D(dim=8, dim_mults=(1, 2), channels=4), seq_length=16, timesteps=4)
    return model, (torch.rand(2, 4, 16),)


def case_continuous_diffusion():
    from denoising_diffusion_pytorch import ContinuousTimeGaussianDiffusion, Unet

    net = Unet(dim=8, dim_mults=(1, 2), learned_sinusoidal_cond=True)
    return ContinuousTimeGaussianDiffusion(net, image_size=16, num_sample_steps=2), (image(size=16),)


def case_elucidated_diffusion():
    from denoising_diffusion_pytorch import ElucidatedDiffusion, Unet

    net = Unet(dim=8, dim_mults=(1, 2), learned_sinusoidal_cond=True)
    return ElucidatedDiffusion(net, image_size=16), (image(size=16),)


def case_learned_variance():
    from denoising_diffusion_pytorch import LearnedGaussianDiffusion, Unet

    net = Unet(dim=8, dim_mults=(1, 2), out_dim=6)
    return LearnedGaussianDiffusion(net, image_size=16, timesteps=4), (image(size=16),)


class Sampler(torch.nn.Module):
    def __init__(self, diffusion) -> None:
        super().__init__()
        self.diffusion = diffusion

    def forward(self, n: int):
        return self.diffusion.sample(batch_size=n)


def case_sampling():
    model, _ = case_diffusion()
    return Sampler(model), (1,)


def case_karras_unet():
    from denoising_diffusion_pytorch import KarrasUnet

    net = KarrasUnet(image_size=16, dim=16, dim_max=32, channels=3, num_downsamples=1, num_blocks_per_stage=1)
    return net, (image(size=16), torch.rand(2))
