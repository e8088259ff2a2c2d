"""Flows, stochastic equations, Gaussian processes, liquid networks, policies, codes, metrics and the parts of music."""

from __future__ import annotations

import torch

PACKAGES = (
    "nflows normflows torchsde gpytorch ncps stable_baselines3 demucs vector_quantize_pytorch pytorch_metric_learning"
).split()


class LogProb(torch.nn.Module):
    def __init__(self, flow) -> None:
        super().__init__()
        self.flow = flow

    def forward(self, x):
        return self.flow.log_prob(x)


class Drawn(LogProb):
    def forward(self, n: int):
        return self.flow.sample(n)


def case_autoregressive_flow():
    from nflows.flows import MaskedAutoregressiveFlow

    return LogProb(MaskedAutoregressiveFlow(4, 8, 2, 1, batch_norm_between_layers=True)), (torch.randn(8, 4),)


def case_real_nvp():
    from nflows.flows import SimpleRealNVP

    return LogProb(SimpleRealNVP(4, 8, 2, 1)), (torch.randn(8, 4),)


def case_drawn_from_real_nvp():
    from nflows.flows import SimpleRealNVP

    return Drawn(SimpleRealNVP(4, 8, 2, 1)), (4,)


def transform(name: str, *options, **named):
    from nflows import transforms

    return getattr(transforms, name)(*options, **named), (torch.rand(8, 4),)


def case_rational_spline():
    return transform("PiecewiseRationalQuadraticCDF", [4], tails="linear")


def case_cubic_spline():
    return transform("PiecewiseCubicCDF", [4])


def case_linear_spline():
    return transform("PiecewiseLinearCDF", [4])


def case_autoregressive_spline():
    return transform("MaskedPiecewiseRationalQuadraticAutoregressiveTransform", 4, 8, tails="linear")


def case_lu_linear():
    return transform("LULinear", 4)


def case_svd_linear():
    return transform("SVDLinear", 4, 2)


def case_act_norm():
    return transform("ActNorm", 4)


def case_mixture_of_masks():
    from nflows.distributions import MADEMoG

    return LogProb(MADEMoG(4, 8, None, num_mixture_components=2)), (torch.randn(8, 4),)


def normal_flow(*flows):
    import normflows as nf

    return nf.NormalizingFlow(nf.distributions.DiagGaussian(4), list(flows))


def case_planar():
    import normflows as nf

    return normal_flow(nf.flows.Planar((4,)), nf.flows.Radial((4,))), (torch.randn(8, 4),)


def case_affine_couplings():
    import normflows as nf

    net = nf.nets.MLP([2, 8, 4], init_zeros=True)
    return LogProb(normal_flow(nf.flows.AffineCouplingBlock(net), nf.flows.Permute(4), nf.flows.ActNorm(4))), (
        torch.randn(8, 4),
    )


def case_spline_couplings():
    import normflows as nf

    flows = [nf.flows.CoupledRationalQuadraticSpline(4, 1, 8), nf.flows.LULinearPermute(4)]
    return LogProb(normal_flow(*flows)), (torch.randn(8, 4),)


def case_autoregressive_splines():
    import normflows as nf

    return LogProb(normal_flow(nf.flows.AutoregressiveRationalQuadraticSpline(4, 1, 8))), (torch.randn(8, 4),)


def case_residual_flow():
    import normflows as nf

    net = nf.nets.LipschitzMLP([4, 8, 4], init_zeros=True, lipschitz_const=0.9)
    return LogProb(normal_flow(nf.flows.Residual(net))), (torch.randn(8, 4),)


def case_glow():
    import normflows as nf

    return nf.flows.GlowBlock(4, 8), (torch.randn(2, 4, 8, 8),)


def case_flow_of_wrapped_coordinates():
    import normflows as nf

    return nf.flows.CircularAutoregressiveRationalQuadraticSpline(4, 1, 8, [1]), (torch.rand(8, 4),)


class Equation(torch.nn.Module):
    noise_type = "diagonal"
    sde_type = "ito"

    def __init__(self) -> None:
        super().__init__()
        self.drift = torch.nn.Linear(3, 3)
        self.diffusion = torch.nn.Linear(3, 3)

    def f(self, t, y):
        return self.drift(y)

    def g(self, t, y):
        return self.diffusion(y).sigmoid()


class Solved(torch.nn.Module):
    def __init__(self, method: str) -> None:
        super().__init__()
        self.equation = Equation()
        self.method = method

    def forward(self, y):
        import torchsde

        return torchsde.sdeint(self.equation, y, torch.linspace(0, 1, 3), method=self.method, dt=0.5)


def case_stochastic_euler():
    return Solved("euler"), (torch.randn(2, 3),)


def case_stochastic_milstein():
    return Solved("milstein"), (torch.randn(2, 3),)


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


def case_liquid():
    from ncps.torch import LTC

    return LTC(4, 8), (torch.randn(2, 5, 4),)


def case_liquid_of_wires():
    from ncps.torch import LTC
    from ncps.wirings import AutoNCP

    return LTC(4, AutoNCP(12, 2), mixed_memory=True), (torch.randn(2, 5, 4),)


def case_closed_form():
    from ncps.torch import CfC

    return CfC(4, 8, mode="no_gate"), (torch.randn(2, 5, 4),)


def case_closed_form_of_wires():
    from ncps.torch import CfC
    from ncps.wirings import AutoNCP

    return CfC(4, AutoNCP(12, 2)), (torch.randn(2, 5, 4),)


def spaces(actions):
    import numpy as np
    from gymnasium import spaces

    return spaces.Box(-1, 1, (4,), dtype=np.float32), actions


def case_policy():
    from gymnasium.spaces import Discrete
    from stable_baselines3.common.policies import ActorCriticPolicy

    return ActorCriticPolicy(*spaces(Discrete(3)), lambda _: 0.1), (torch.randn(2, 4),)


def case_policy_of_numbers():
    from gymnasium.spaces import Box
    from stable_baselines3.common.policies import ActorCriticPolicy

    return ActorCriticPolicy(*spaces(Box(-1, 1, (2,))), lambda _: 0.1), (torch.randn(2, 4),)


def case_policy_that_explores():
    from gymnasium.spaces import Box
    from stable_baselines3.common.policies import ActorCriticPolicy

    model = ActorCriticPolicy(*spaces(Box(-1, 1, (2,))), lambda _: 0.1, use_sde=True, squash_output=True)
    return model, (torch.randn(2, 4),)


class Judged(torch.nn.Module):
    def __init__(self, policy) -> None:
        super().__init__()
        self.policy = policy

    def forward(self, observation, action):
        return self.policy.evaluate_actions(observation, action)


def case_judged_actions():
    from gymnasium.spaces import MultiDiscrete
    from stable_baselines3.common.policies import ActorCriticPolicy

    model = ActorCriticPolicy(*spaces(MultiDiscrete([2, 3])), lambda _: 0.1)
    return Judged(model), (torch.randn(2, 4), torch.ones(2, 2))


def case_q_network():
    from gymnasium.spaces import Discrete
    from stable_baselines3.dqn.policies import DQNPolicy

    return DQNPolicy(*spaces(Discrete(3)), lambda _: 0.1), (torch.randn(2, 4),)


def case_soft_actor():
    from gymnasium.spaces import Box
    from stable_baselines3.sac.policies import SACPolicy

    return SACPolicy(*spaces(Box(-1, 1, (2,))), lambda _: 0.1).actor, (torch.randn(2, 4),)


def case_demucs():
    from demucs.demucs import Demucs

    return Demucs(["a", "b"], channels=4, depth=3, lstm_layers=1, resample=True), (torch.randn(1, 2, 2048),)


def case_hybrid_demucs():
    from demucs.hdemucs import HDemucs

    return HDemucs(["a", "b"], channels=8, nfft=256, depth=4), (torch.randn(1, 2, 4096),)


def case_transformer_demucs():
    from demucs.htdemucs import HTDemucs

    model = HTDemucs(["a", "b"], channels=8, nfft=512, depth=2, t_layers=2, t_heads=2, segment=1, samplerate=8000)
    return model, (torch.randn(1, 2, 4096),)


def codes(name: str, x=None, **options):
    import vector_quantize_pytorch as vq

    return getattr(vq, name)(**options), (torch.randn(2, 6, 8) if x is None else x,)


def case_codebook():
    return codes("VectorQuantize", dim=8, codebook_size=16)


def case_codebook_of_heads():
    return codes("VectorQuantize", dim=8, codebook_size=16, heads=2, use_cosine_sim=True, threshold_ema_dead_code=2)


def case_codebook_from_clusters():
    return codes("VectorQuantize", dim=8, codebook_size=4, kmeans_init=True, kmeans_iters=2, rotation_trick=True)


def case_codebook_that_learns():
    return codes("VectorQuantize", dim=8, codebook_size=16, learnable_codebook=True, ema_update=False)


def case_residual_codes():
    return codes("ResidualVQ", dim=8, num_quantizers=3, codebook_size=16, quantize_dropout=True)


def case_codes_of_groups():
    return codes("GroupedResidualVQ", dim=8, groups=2, num_quantizers=2, codebook_size=16)


def case_finite_codes():
    return codes("FSQ", levels=[4, 3, 3], dim=8)


def case_codes_without_lookup():
    return codes("LFQ", dim=8, codebook_size=16, entropy_loss_weight=0.1)


def case_residual_codes_without_lookup():
    return codes("ResidualLFQ", dim=8, num_quantizers=2, codebook_size=16)


def case_residual_finite_codes():
    return codes("ResidualFSQ", levels=[4, 3, 3], num_quantizers=2, dim=8)


def case_simple_codes():
    return codes("SimVQ", dim=8, codebook_size=16)


def case_random_codes():
    return codes("RandomProjectionQuantizer", dim=8, codebook_size=16, codebook_dim=4, num_codebooks=2)


def case_latent_codes():
    return codes("LatentQuantize", torch.randn(2, 8, 4, 4), levels=[4, 4], dim=8)


def metric(name: str, **options):
    from pytorch_metric_learning import losses

    return getattr(losses, name)(**options), (torch.randn(8, 4), torch.arange(8) // 2)


def case_contrastive():
    return metric("ContrastiveLoss")


def case_triplets():
    return metric("TripletMarginLoss")


def case_arcs():
    return metric("ArcFaceLoss", num_classes=4, embedding_size=4)


def case_circles():
    return metric("CircleLoss")


def case_similarities():
    return metric("MultiSimilarityLoss")


def case_temperature():
    return metric("NTXentLoss")


def case_proxies():
    return metric("ProxyAnchorLoss", num_classes=4, embedding_size=4)


def case_supervised_contrast():
    return metric("SupConLoss")


def case_soft_triples():
    return metric("SoftTripleLoss", num_classes=4, embedding_size=4)


def case_ranked_precision():
    return metric("FastAPLoss")


def case_histogram():
    return metric("HistogramLoss", n_bins=5)


def case_memory_of_batches():
    from pytorch_metric_learning import losses

    model = losses.CrossBatchMemory(losses.NTXentLoss(), 4, memory_size=16)
    return model, (torch.randn(8, 4), torch.arange(8) // 2)


def case_hard_pairs():
    from pytorch_metric_learning import miners

    return miners.BatchHardMiner(), (torch.randn(8, 4), torch.arange(8) // 2)


def case_near_pairs():
    from pytorch_metric_learning import miners

    return miners.MultiSimilarityMiner(), (torch.randn(8, 4), torch.arange(8) // 2)
