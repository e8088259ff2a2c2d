"""Invertible networks, autoencoders, adversarial networks, Bayesian layers, neural equations and sorting networks."""

from __future__ import annotations

import contextlib

import torch
from torch import nn

with contextlib.suppress(RuntimeError):  # torchvision's wheel is built for CUDA; its Python needs the operators' names
    torch.library.define("torchvision::nms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    torch.library.define("torchvision::qnms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

import torchhd
from kmeans_pytorch import kmeans, kmeans_predict, pairwise_cosine

PACKAGES = (
    "FrEIA pythae torchgan bayesian_torch blitz torchdyn diffsort geomloss kmeans_pytorch tltorch torchhd".split()
)


def subnet(inputs: int, outputs: int) -> nn.Module:
    return nn.Sequential(nn.Linear(inputs, 8), nn.ReLU(), nn.Linear(8, outputs))


def invertible(name: str, channels: int = 4, **options):
    from FrEIA import framework, modules

    model = framework.SequenceINN(channels)
    for _ in range(2):
        model.append(getattr(modules, name), **options)
    return model, (torch.rand(8, channels),)


def case_all_in_one():
    return invertible("AllInOneBlock", subnet_constructor=subnet, permute_soft=True)


def case_all_in_one_householder():
    return invertible("AllInOneBlock", subnet_constructor=subnet, learned_householder_permutation=2)


def case_glow_coupling():
    return invertible("GLOWCouplingBlock", subnet_constructor=subnet)


def case_gin_coupling():
    return invertible("GINCouplingBlock", subnet_constructor=subnet)


def case_invertible_act_norm():
    return invertible("ActNorm")


def case_permute_random():
    return invertible("PermuteRandom", seed=1)


def case_fixed_linear():
    return invertible("FixedLinearTransform", M=torch.eye(4) * 2)


def case_orthogonal():
    return invertible("OrthogonalTransform")


def case_householder_perm():
    return invertible("HouseholderPerm", n_reflections=2)


def case_iresnet():
    return invertible("IResNetLayer", hutchinson_samples=1, jacobian_iterations=3)


def case_auto_act():
    return invertible("InvAutoAct")


def case_elementwise_scaling():
    return invertible("LearnedElementwiseScaling")


def case_graph_of_images():
    from FrEIA import framework, modules

    nodes = [framework.InputNode(1, 8, 8, name="in")]
    nodes.append(framework.Node(nodes[-1], modules.HaarDownsampling, {}))
    nodes.append(framework.Node(nodes[-1], modules.IRevNetDownsampling, {}))
    nodes.append(framework.Node(nodes[-1], modules.Flatten, {}))
    nodes.append(framework.Node(nodes[-1], modules.RNVPCouplingBlock, {"subnet_constructor": subnet}))
    nodes.append(framework.OutputNode(nodes[-1]))
    return framework.GraphINN(nodes), (torch.randn(2, 1, 8, 8),)


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


def case_dcgan_generator():
    from torchgan.models import DCGANGenerator

    return DCGANGenerator(8, 16, 1, step_channels=4), (torch.randn(2, 8),)


def case_dcgan_discriminator():
    from torchgan.models import DCGANDiscriminator

    return DCGANDiscriminator(16, 1, step_channels=4), (torch.randn(2, 1, 16, 16),)


def case_conditional_gan():
    from torchgan.models import ConditionalGANGenerator

    return ConditionalGANGenerator(3, 8, 16, 1, step_channels=4), (torch.randn(2, 8), torch.tensor([0, 2]))


def case_acgan():
    from torchgan.models import ACGANDiscriminator

    return ACGANDiscriminator(3, 16, 1, step_channels=4), (torch.randn(2, 1, 16, 16),)


def case_autoencoding_discriminator():
    from torchgan.models import AutoEncodingDiscriminator

    return AutoEncodingDiscriminator(16, 1, 8, step_channels=4), (torch.randn(2, 1, 16, 16),)


def case_minibatch_discrimination():
    from torchgan.layers import MinibatchDiscrimination1d

    return MinibatchDiscrimination1d(8, 4), (torch.randn(3, 8),)


def case_self_attention_of_images():
    from torchgan.layers import SelfAttention2d

    return SelfAttention2d(8), (torch.randn(2, 8, 4, 4),)


def case_spectral_norm():
    from torchgan.layers import SpectralNorm2d

    return SpectralNorm2d(nn.Conv2d(2, 3, 3)), (torch.randn(2, 2, 6, 6),)


def case_virtual_batch_norm():
    from torchgan.layers import VirtualBatchNorm

    return VirtualBatchNorm(8), (torch.randn(4, 8, 1, 1),)


def case_gan_loss():
    from torchgan.losses import WassersteinDiscriminatorLoss

    return WassersteinDiscriminatorLoss(), (torch.randn(4), torch.randn(4))


def case_linear_flipout():
    from bayesian_torch.layers import LinearFlipout

    return LinearFlipout(4, 3), (torch.randn(2, 4),)


def case_conv_reparameterization():
    from bayesian_torch.layers import Conv2dReparameterization

    return Conv2dReparameterization(2, 3, 3), (torch.randn(2, 2, 6, 6),)


def case_lstm_reparameterization():
    from bayesian_torch.layers import LSTMReparameterization

    return LSTMReparameterization(4, 3), (torch.randn(2, 5, 4),)


def case_lstm_flipout():
    from bayesian_torch.layers import LSTMFlipout

    return LSTMFlipout(4, 3), (torch.randn(2, 5, 4),)


def case_converted_to_bayes():
    from bayesian_torch.models.dnn_to_bnn import dnn_to_bnn

    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
    prior = {"prior_mu": 0.0, "prior_sigma": 1.0, "posterior_mu_init": 0.0, "posterior_rho_init": -3.0}
    dnn_to_bnn(model, {**prior, "type": "Reparameterization", "moped_enable": False, "moped_delta": 0.5})
    return model, (torch.randn(2, 4),)


def case_bayesian_linear():
    from blitz.modules import BayesianLinear

    return BayesianLinear(4, 3), (torch.randn(2, 4),)


def case_bayesian_conv():
    from blitz.modules import BayesianConv2d

    return BayesianConv2d(2, 3, (3, 3)), (torch.randn(2, 2, 6, 6),)


def case_bayesian_lstm():
    from blitz.modules import BayesianLSTM

    return BayesianLSTM(4, 3), (torch.randn(2, 5, 4),)


def case_bayesian_gru():
    from blitz.modules import BayesianGRU

    return BayesianGRU(4, 3), (torch.randn(2, 5, 4),)


def case_bayesian_embedding():
    from blitz.modules import BayesianEmbedding

    return BayesianEmbedding(6, 3), (torch.tensor([[0, 5], [1, 2]]),)


def case_flipout_linear():
    from blitz.modules import BayesianLinear
    from blitz.utils import Flipout

    return Flipout(BayesianLinear)(4, 3), (torch.randn(2, 4),)


def case_variational_estimator():
    from blitz.modules import BayesianLinear
    from blitz.utils import variational_estimator

    @variational_estimator
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = BayesianLinear(4, 8), BayesianLinear(8, 1)

        def forward(self, x, y):
            return self.sample_elbo(x, y, nn.functional.mse_loss, 2)

    class Loss(nn.Module):
        def __init__(self, net) -> None:
            super().__init__()
            self.net = net

        def forward(self, x):
            return self.net.second(self.net.first(x)).sum() + self.net.nn_kl_divergence()

    return Loss(Net()), (torch.randn(4, 4),)


def case_galerkin():
    from torchdyn.nn import Fourier, GalLinear

    return nn.Sequential(GalLinear(3, 2, expfunc=Fourier(2))), (torch.randn(4, 4),)


def case_sorting_bitonic():
    from diffsort import DiffSortNet

    return DiffSortNet("bitonic", 4, steepness=5), (torch.randn(2, 4),)


def case_sorting_odd_even():
    from diffsort import DiffSortNet

    return DiffSortNet("odd_even", 4, distribution="logistic_phi"), (torch.randn(2, 4),)


def samples(**options):
    from geomloss import SamplesLoss

    return SamplesLoss(backend="tensorized", **options), (torch.rand(8, 2), torch.rand(8, 2))


def case_sinkhorn_loss():
    return samples(loss="sinkhorn", p=2, blur=0.5)


def case_unbalanced_sinkhorn():
    return samples(loss="sinkhorn", p=1, blur=0.5, reach=1.0)


def case_energy_distance():
    return samples(loss="energy")


def case_gaussian_kernel_loss():
    return samples(loss="gaussian", blur=0.5)


class Kmeans(nn.Module):
    def forward(self, x):
        return kmeans(x, num_clusters=2)


def case_kmeans():
    return Kmeans(), (torch.rand(12, 2),)


class KmeansPredict(nn.Module):
    def forward(self, x, y):
        return kmeans_predict(x, y)


def case_kmeans_predict():
    return KmeansPredict(), (torch.rand(12, 2), torch.rand(2, 2))


class KmeansDistances(nn.Module):
    def forward(self, x, y):
        return pairwise_cosine(x, y)


def case_kmeans_distances():
    return KmeansDistances(), (torch.rand(12, 2), torch.rand(2, 2))


def case_factorized_linear():
    from tltorch import FactorizedLinear

    return FactorizedLinear((2, 2), (2, 3), factorization="cp", rank=2), (torch.randn(3, 4),)


def case_factorized_tucker():
    from tltorch import FactorizedLinear

    return FactorizedLinear((2, 2), (2, 3), factorization="tucker", rank=2), (torch.randn(3, 4),)


def case_factorized_conv():
    from tltorch import FactorizedConv

    return FactorizedConv(2, 3, 3, order=2, rank=2, factorization="cp"), (torch.randn(2, 2, 6, 6),)


def case_tensor_regression():
    from tltorch import TRL

    return TRL((3, 4), (2,), bias=True, factorization="cp", rank=2), (torch.randn(5, 3, 4),)


def case_tensor_contraction():
    from tltorch import TCL

    return TCL((3, 4), (2, 2)), (torch.randn(5, 3, 4),)


def case_factorized_embedding():
    from tltorch import FactorizedEmbedding

    return FactorizedEmbedding(8, 4, factorization="blocktt", rank=2), (torch.tensor([0, 3, 7]),)


def case_random_embedding():
    from torchhd import embeddings

    return embeddings.Random(6, 16), (torch.tensor([0, 5]),)


def case_level_embedding():
    from torchhd import embeddings

    return embeddings.Level(6, 16), (torch.rand(3),)


def case_projection_embedding():
    from torchhd import embeddings

    return embeddings.Projection(4, 16), (torch.rand(3, 4),)


def case_sinusoid_embedding():
    from torchhd import embeddings

    return embeddings.Sinusoid(4, 16), (torch.rand(3, 4),)


def case_thermometer_embedding():
    from torchhd import embeddings

    return embeddings.Thermometer(6, 16), (torch.rand(3),)


def case_centroid():
    from torchhd.models import Centroid

    return Centroid(16, 3), (torch.randn(2, 16),)


class HyperdimensionalNgrams(nn.Module):
    def forward(self, x):
        return torchhd.ngrams(x, n=2)


def case_hyperdimensional_ngrams():
    return HyperdimensionalNgrams(), (torchhd.random(5, 16),)


class HyperdimensionalQuantize(nn.Module):
    def forward(self, x):
        return torchhd.hard_quantize(torchhd.multiset(torchhd.bind(x, x)))


def case_hyperdimensional_quantize():
    return HyperdimensionalQuantize(), (torchhd.random(5, 16),)


class HashTable(nn.Module):
    def forward(self, x, y):
        return torchhd.hash_table(x, y)


def case_hash_table():
    return HashTable(), (torchhd.random(3, 16), torchhd.random(3, 16))
