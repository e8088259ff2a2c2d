"""A variational autoencoder with a diagonal Gaussian object, beta annealing held in a buffer."""

from typing import Any, Optional

import torch
from torch import nn
from torch.nn import functional as F


class DiagonalGaussian:
    def __init__(self, parameters, deterministic=False):
        self.parameters = parameters
        self.mean, self.logvar = torch.chunk(parameters, 2, dim=1)
        self.logvar = torch.clamp(self.logvar, -30.0, 20.0)
        self.deterministic = deterministic
        self.std = torch.exp(0.5 * self.logvar)
        self.var = torch.exp(self.logvar)
        if self.deterministic:
            self.var = self.std = torch.zeros_like(self.mean, device=self.parameters.device)

    def sample(self):
        return self.mean + self.std * torch.randn_like(self.mean)

    def kl(self, other: Optional["DiagonalGaussian"] = None):
        if self.deterministic:
            return torch.tensor([0.0])
        if other is None:
            return 0.5 * torch.sum(self.mean.pow(2) + self.var - 1.0 - self.logvar, dim=[1, 2, 3])
        return 0.5 * torch.sum((self.mean - other.mean).pow(2) / other.var + self.var / other.var, dim=[1, 2, 3])

    def mode(self):
        return self.mean


class Net(nn.Module):
    def __init__(self, channels=8, latent=4, beta=1.0, tiling=False):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(3, channels, 3, 2, 1), nn.SiLU(), nn.Conv2d(channels, 2 * latent, 1))
        self.decoder = nn.Sequential(nn.ConvTranspose2d(latent, channels, 4, 2, 1), nn.SiLU(), nn.Conv2d(channels, 3, 1))
        self.use_tiling = tiling
        self.tile = 64
        self.register_buffer("step", torch.zeros(()))
        self.register_buffer("beta", torch.tensor(beta))

    @property
    def dtype(self):
        return next(self.parameters()).dtype

    def encode(self, x):
        if self.use_tiling and (x.shape[-1] > self.tile or x.shape[-2] > self.tile):
            raise NotImplementedError("tiling")
        return DiagonalGaussian(self.encoder(x.to(self.decoder[0].weight.dtype)))

    def loss(self, x, reconstruction, posterior):
        kl = posterior.kl().mean()
        mse = F.mse_loss(reconstruction, x, reduction="none").flatten(1).sum(-1).mean()
        weight = torch.clamp(self.step / 1000, max=1.0) * self.beta
        return {"loss": mse + weight * kl, "kl": kl.detach(), "mse": mse.detach()}

    def forward(self, sample: torch.Tensor, sample_posterior: bool = True, generator: Optional[Any] = None):
        x = sample
        posterior = self.encode(x)
        z = posterior.sample() if sample_posterior else posterior.mode()
        decoded = self.decoder(z)
        if self.training:
            self.step += 1
            return self.loss(x, decoded, posterior)
        return decoded


def get_inputs():
    return [torch.randn(2, 3, 8, 8)]
