"""Cases of gpytorch."""

from __future__ import annotations

import torch

PACKAGES = ["gpytorch"]


def kernel(name: str, *options, **named):
    from gpytorch import kernels

    return getattr(kernels, name)(*options, **named)


class Covariance(torch.nn.Module):
    def __init__(self, kernel) -> None:
        super().__init__()
        self.kernel = kernel

    def forward(self, x):
        return self.kernel(x, x).to_dense()


def case_rbf():
    return Covariance(kernel("ScaleKernel", kernel("RBFKernel", ard_num_dims=2))), (torch.randn(6, 2),)


def case_matern():
    return Covariance(kernel("MaternKernel", nu=1.5)), (torch.randn(6, 2),)


def case_periodic():
    return Covariance(kernel("PeriodicKernel")), (torch.randn(6, 2),)


def case_spectral_mixture():
    return Covariance(kernel("SpectralMixtureKernel", num_mixtures=2, ard_num_dims=2)), (torch.randn(6, 2),)


def case_arc_kernel():
    return Covariance(kernel("PolynomialKernel", power=2)), (torch.randn(6, 2),)


def case_gaussian_process():
    import gpytorch

    class Model(gpytorch.models.ExactGP):
        def __init__(self, x, y, likelihood) -> None:
            super().__init__(x, y, likelihood)
            self.mean_module = gpytorch.means.ConstantMean()
            self.covar_module = kernel("ScaleKernel", kernel("RBFKernel"))

        def forward(self, x):
            return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))

    x = torch.linspace(0, 1, 6)
    return Model(x, x.sin(), gpytorch.likelihoods.GaussianLikelihood()), (x,)
