"""Spiking networks, quantisation, pruning, reinforcement learning, attention, diffusion, equivariance and slots."""

from __future__ import annotations

import contextlib

import torch
from torch import nn

with contextlib.suppress(RuntimeError):
    torch.library.define("torchvision::nms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    torch.library.define("torchvision::qnms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

import sinabs.layers as sl

PACKAGES = (
    "norse sinabs brevitas d3rlpy equiformer_pytorch h_transformer_1d nystrom_attention routing_transformer "
    "sinkhorn_transformer simple_hierarchical_transformer slot_attention soft_moe_pytorch mlp_mixer_pytorch "
    "k_diffusion efficientnet_pytorch pytorchcv pytorch_revgrad torch_pruning lion_pytorch higher"
).split()


def norse_cell(name: str, *sizes: int, inputs: int = 4):
    import norse.torch as snn

    return getattr(snn, name)(*sizes), (torch.rand(2, inputs),)


def case_norse_lif_cell():
    return norse_cell("LIFCell")


def case_norse_lif_recurrent():
    return norse_cell("LIFRecurrentCell", 4, 5)


def case_norse_lsnn():
    return norse_cell("LSNNRecurrentCell", 4, 5)


def case_norse_izhikevich():
    import norse.torch as snn
    from norse.torch.functional.izhikevich import tonic_spiking

    return snn.IzhikevichCell(tonic_spiking), (torch.rand(2, 4),)


def case_norse_lif_sequence():
    import norse.torch as snn

    return snn.LIF(), (torch.rand(6, 2, 4),)


def case_norse_adex():
    return norse_cell("LIFAdExCell")


def case_norse_refractory():
    return norse_cell("LIFRefracCell")


def case_norse_correlation():
    from norse.torch.module.lif_correlation import LIFCorrelation

    return LIFCorrelation(4, 5), (torch.rand(2, 4), torch.rand(5, 4), torch.rand(5, 5), None)


def case_norse_multi_compartment():
    from norse.torch.module.lif_mc import LIFMCRecurrentCell

    return LIFMCRecurrentCell(4, 5), (torch.rand(2, 4),)


def case_norse_coba():
    from norse.torch.module.coba_lif import CobaLIFCell

    return CobaLIFCell(4, 5), (torch.rand(2, 4),)


def case_norse_sequential():
    import norse.torch as snn

    return snn.SequentialState(nn.Linear(4, 5), snn.LIFCell(), nn.Linear(5, 2), snn.LICell()), (torch.rand(2, 4),)


def case_norse_poisson():
    from norse.torch.module.encode import PoissonEncoder

    return PoissonEncoder(6), (torch.rand(2, 4),)


def case_norse_latency():
    from norse.torch.module.encode import SpikeLatencyLIFEncoder

    return SpikeLatencyLIFEncoder(6), (torch.rand(2, 4),)


def case_norse_constant():
    from norse.torch.module.encode import ConstantCurrentLIFEncoder

    return ConstantCurrentLIFEncoder(6), (torch.rand(2, 4),)


def case_norse_population():
    from norse.torch.module.encode import PopulationEncoder

    return PopulationEncoder(4), (torch.rand(2, 3),)


def case_norse_decoder():
    from norse.torch.module.spikes_to_times_decoder import SpikesToTimesDecoder

    return SpikesToTimesDecoder(), ((torch.rand(6, 2, 3) > 0.5).float(),)


def case_norse_receptive():
    from norse.torch.module.receptive_field import SampledSpatialReceptiveField2d

    return (
        SampledSpatialReceptiveField2d(1, 5, torch.tensor([1.0]), torch.tensor([0.0]), torch.tensor([1.0]), [(0, 0)]),
        (torch.rand(1, 1, 8, 8),),
    )


def case_norse_regularization():
    from norse.torch.module.regularization import RegularizationCell

    return RegularizationCell(), (torch.rand(2, 4), None)


def case_sinabs_lif():
    return sl.LIF(tau_mem=10.0), (torch.rand(2, 6, 4),)


def case_sinabs_iaf():
    return sl.IAF(), (torch.rand(2, 6, 4),)


def case_sinabs_iaf_squeeze():
    return sl.IAFSqueeze(batch_size=2), (torch.rand(12, 4),)


def case_sinabs_alif():
    return sl.ALIF(tau_mem=10.0, tau_adapt=10.0), (torch.rand(2, 6, 4),)


def case_sinabs_lif_recurrent():
    return sl.LIFRecurrent(tau_mem=10.0, rec_connect=nn.Linear(4, 4)), (torch.rand(2, 6, 4),)


def case_sinabs_exp_leak():
    return sl.ExpLeak(tau_mem=10.0), (torch.rand(2, 6, 4),)


def case_sinabs_relu():
    return sl.NeuromorphicReLU(stochastic_rounding=True), (torch.rand(2, 4),)


def case_sinabs_quantize():
    return sl.QuantizeLayer(), (torch.rand(2, 4),)


def case_sinabs_pool():
    return sl.SpikingMaxPooling2dLayer((2, 2)), ((torch.rand(6, 1, 4, 4) > 0.5).float(),)


def case_sinabs_img():
    return sl.Img2SpikeLayer((1, 4, 4), tw=5), (torch.rand(1, 4, 4) * 255,)


def case_sinabs_sig():
    return sl.Sig2SpikeLayer(2, tw=2), (torch.rand(2, 10),)


def case_sinabs_crop():
    return sl.Cropping2dLayer(((1, 1), (1, 1))), (torch.rand(2, 1, 6, 6),)


def case_brevitas_linear():
    from brevitas import nn as qnn

    return qnn.QuantLinear(4, 5, bias=True, weight_bit_width=4), (torch.rand(2, 4),)


def case_brevitas_conv():
    from brevitas import nn as qnn

    layers = qnn.QuantIdentity(bit_width=4), qnn.QuantConv2d(1, 2, 3, weight_bit_width=4), qnn.QuantReLU()
    return nn.Sequential(*layers), (torch.rand(1, 1, 6, 6),)


def case_brevitas_returning():
    from brevitas import nn as qnn

    return (
        nn.Sequential(qnn.QuantIdentity(return_quant_tensor=True), qnn.QuantReLU(return_quant_tensor=True)),
        (torch.rand(2, 4),),
    )


def case_brevitas_lstm():
    from brevitas import nn as qnn

    return qnn.QuantLSTM(3, 4), (torch.rand(5, 2, 3),)


def case_brevitas_ternary():
    from brevitas.core.quant import TernaryQuant
    from brevitas.core.scaling import ConstScaling

    return TernaryQuant(ConstScaling(1.0), 0.5), (torch.randn(4),)


def case_d3rlpy_q():
    from d3rlpy.models.torch.encoders import VectorEncoderWithAction
    from d3rlpy.models.torch.q_functions.mean_q_function import (
        ContinuousMeanQFunction,
        ContinuousMeanQFunctionForwarder,
    )

    encoder = VectorEncoderWithAction((3,), 2, [8])
    function = ContinuousMeanQFunction(encoder, 8)
    forwarder = ContinuousMeanQFunctionForwarder(function)

    class Error(nn.Module):
        def __init__(self):
            super().__init__()
            self.function = function

        def forward(self, x, a, r, t, d):
            return forwarder.compute_error(x, a, r, t, d, 0.9)

    return Error(), (torch.rand(4, 3), torch.rand(4, 2), torch.rand(4, 1), torch.rand(4, 1), torch.zeros(4, 1))


def case_d3rlpy_policy():
    from d3rlpy.models.torch.encoders import VectorEncoder
    from d3rlpy.models.torch.policies import NormalPolicy, build_squashed_gaussian_distribution

    class Act(nn.Module):
        def __init__(self):
            super().__init__()
            self.policy = NormalPolicy(
                VectorEncoder((3,), [8]), 8, 2, min_logstd=-4.0, max_logstd=2.0, use_std_parameter=False
            )

        def forward(self, x):
            dist = build_squashed_gaussian_distribution(self.policy(x))
            action, log_prob = dist.sample_with_log_prob()
            return action, log_prob

    return Act(), (torch.rand(4, 3),)


def case_d3rlpy_qr():
    from d3rlpy.models.torch.encoders import VectorEncoder
    from d3rlpy.models.torch.q_functions.qr_q_function import DiscreteQRQFunction

    return DiscreteQRQFunction(VectorEncoder((3,), [8]), 8, 2, 5), (torch.rand(4, 3),)


def case_d3rlpy_iqn():
    from d3rlpy.models.torch.encoders import VectorEncoder
    from d3rlpy.models.torch.q_functions.iqn_q_function import DiscreteIQNQFunction

    return DiscreteIQNQFunction(VectorEncoder((3,), [8]), 8, 2, 4, 4, 8), (torch.rand(4, 3),)


def case_d3rlpy_vae():
    from d3rlpy.models.torch.encoders import VectorEncoderWithAction
    from d3rlpy.models.torch.imitators import VAEDecoder, VAEEncoder, compute_vae_error

    class Vae(nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder = VAEEncoder(VectorEncoderWithAction((3,), 2, [8]), 8, 4)
            self.decoder = VAEDecoder(VectorEncoderWithAction((3,), 4, [8]), 8, 2)

        def forward(self, x, a):
            return compute_vae_error(self.encoder, self.decoder, x, a, 0.5)

    return Vae(), (torch.rand(4, 3), torch.rand(4, 2))


def case_equiformer():
    from equiformer_pytorch import Equiformer

    model = Equiformer(
        num_tokens=5, dim=(4, 2), dim_head=(4, 2), heads=(1, 1), num_degrees=2, depth=1, num_neighbors=2,
        attend_self=True, reduce_dim_out=True,
    )  # fmt: skip
    return model, (torch.randint(0, 5, (1, 6)), torch.randn(1, 6, 3), torch.ones(1, 6).bool())


def case_equiformer_adjacent():
    from equiformer_pytorch import Equiformer

    model = Equiformer(
        num_tokens=5, dim=(4, 2), dim_head=(4, 2), heads=(1, 1), num_degrees=2, depth=1, num_neighbors=0,
        num_adj_degrees_embed=1, max_sparse_neighbors=3,
    )  # fmt: skip
    adjacent = (torch.arange(6)[:, None] - torch.arange(6)[None]).abs() == 1
    return model, (torch.randint(0, 5, (1, 6)), torch.randn(1, 6, 3), torch.ones(1, 6).bool(), adjacent)


def case_h_transformer():
    from h_transformer_1d import HTransformer1D

    return (
        HTransformer1D(num_tokens=9, dim=8, depth=1, max_seq_len=16, heads=2, dim_head=4, block_size=4),
        (torch.randint(0, 9, (1, 10)), torch.ones(1, 10).bool()),
    )


def case_h_transformer_causal():
    from h_transformer_1d import HTransformer1D

    model = HTransformer1D(
        num_tokens=9, dim=8, depth=2, max_seq_len=16, heads=2, dim_head=4, block_size=4, causal=True, reversible=True,
        shift_tokens=True,
    )  # fmt: skip
    return model, (torch.randint(0, 9, (1, 16)),)


def case_nystrom():
    from nystrom_attention import Nystromformer

    return (
        Nystromformer(dim=8, depth=1, dim_head=4, heads=2, num_landmarks=4),
        (torch.rand(1, 10, 8), torch.ones(1, 10).bool()),
    )


def case_routing():
    from routing_transformer import RoutingTransformerLM

    model = RoutingTransformerLM(
        num_tokens=9, dim=8, heads=2, depth=2, max_seq_len=16, window_size=4, dim_head=4, n_local_attn_heads=1,
        local_attn_window_size=4, causal=True, ff_chunks=2, tie_embedding=True,
    )  # fmt: skip
    return model, (torch.randint(0, 9, (1, 16)),)


def case_routing_loss():
    from routing_transformer import AutoregressiveWrapper, RoutingTransformerLM

    model = RoutingTransformerLM(
        num_tokens=9, dim=8, heads=2, depth=1, max_seq_len=16, window_size=4, dim_head=4, n_local_attn_heads=1,
        local_attn_window_size=4, causal=True, reversible=True,
    )  # fmt: skip
    return AutoregressiveWrapper(model), (torch.randint(0, 9, (1, 17)),), {"return_loss": True}


def case_sinkhorn():
    from sinkhorn_transformer import SinkhornTransformerLM

    model = SinkhornTransformerLM(
        num_tokens=9, dim=8, heads=2, depth=1, max_seq_len=16, bucket_size=4, dim_head=4, n_sortcut=0
    )
    return model, (torch.randint(0, 9, (1, 16)),)


def case_sinkhorn_causal():
    from sinkhorn_transformer import AutoregressiveWrapper, SinkhornTransformerLM

    model = SinkhornTransformerLM(
        num_tokens=9, dim=8, heads=2, depth=1, max_seq_len=16, bucket_size=4, dim_head=4, causal=True
    )
    return AutoregressiveWrapper(model), (torch.randint(0, 9, (1, 17)),), {"return_loss": True}


def case_hierarchical():
    from simple_hierarchical_transformer import HierarchicalTransformer

    model = HierarchicalTransformer(
        num_tokens=9, dim=8, depth=2, seq_len=16, dim_head=4, heads=2, hierarchies=(1, 2), window_sizes=(8, None),
    )  # fmt: skip
    return model, (torch.randint(0, 9, (1, 17)),), {"return_loss": True}


def case_slots():
    from slot_attention import SlotAttention

    return SlotAttention(3, 8), (torch.rand(2, 10, 8),)


def case_slots_heads():
    from slot_attention import MultiHeadSlotAttention

    return MultiHeadSlotAttention(3, 8, heads=2, dim_head=4), (torch.rand(2, 10, 8),)


def case_slots_adaptive():
    from slot_attention import AdaptiveSlotWrapper, MultiHeadSlotAttention

    return AdaptiveSlotWrapper(MultiHeadSlotAttention(3, 8, heads=2, dim_head=4)), (torch.rand(2, 10, 8),)


def case_slots_experimental():
    from slot_attention import SlotAttentionExperimental

    return SlotAttentionExperimental(3, 8), (torch.rand(2, 10, 8),)


def case_soft_moe():
    from soft_moe_pytorch import SoftMoE

    return SoftMoE(8, seq_len=10, num_experts=2), (torch.rand(2, 10, 8), torch.ones(2, 10).bool())


def case_dynamic_moe():
    from soft_moe_pytorch import DynamicSlotsSoftMoE

    return DynamicSlotsSoftMoE(8, num_experts=2), (torch.rand(2, 10, 8),)


def case_mixer():
    from mlp_mixer_pytorch import MLPMixer

    return MLPMixer(image_size=8, channels=3, patch_size=4, dim=8, depth=1, num_classes=3), (torch.rand(1, 3, 8, 8),)


def case_k_denoiser():
    from k_diffusion.layers import Denoiser

    class Inner(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Conv2d(3, 3, 3, padding=1)

        def forward(self, x, sigma):
            return self.net(x) + sigma[:, None, None, None]

    class Loss(nn.Module):
        def __init__(self):
            super().__init__()
            self.denoiser = Denoiser(Inner(), sigma_data=0.5, weighting="soft-min-snr")

        def forward(self, x, noise, sigma):
            return self.denoiser.loss(x, noise, sigma)

    return Loss(), (torch.rand(2, 3, 8, 8), torch.rand(2, 3, 8, 8), torch.rand(2) + 0.1)


def sampling(name: str):
    from k_diffusion import sampling as samplers
    from k_diffusion.layers import Denoiser

    class Inner(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Conv2d(3, 3, 3, padding=1)

        def forward(self, x, sigma):
            return self.net(x) + sigma[:, None, None, None]

    return Denoiser(Inner()), samplers


def case_k_euler():
    from k_diffusion import sampling as samplers

    class Sample(nn.Module):
        def __init__(self):
            super().__init__()
            self.denoiser = sampling("")[0]

        def forward(self, x):
            return samplers.sample_euler(self.denoiser, x, samplers.get_sigmas_karras(3, 0.1, 10.0), disable=True)

    return Sample(), (torch.rand(1, 3, 8, 8),)


def case_k_dpm():
    from k_diffusion import sampling as samplers

    class Sample(nn.Module):
        def __init__(self):
            super().__init__()
            self.denoiser = sampling("")[0]

        def forward(self, x):
            return samplers.sample_dpmpp_2m(self.denoiser, x, samplers.get_sigmas_karras(3, 0.1, 10.0), disable=True)

    return Sample(), (torch.rand(1, 3, 8, 8),)


def case_k_ancestral():
    from k_diffusion import sampling as samplers

    class Sample(nn.Module):
        def __init__(self):
            super().__init__()
            self.denoiser = sampling("")[0]

        def forward(self, x):
            sigmas = samplers.get_sigmas_exponential(3, 0.1, 10.0)
            return samplers.sample_euler_ancestral(self.denoiser, x, sigmas, disable=True)

    return Sample(), (torch.rand(1, 3, 8, 8),)


def case_k_image_v1():
    from k_diffusion.models.image_v1 import ImageDenoiserModelV1

    return (
        ImageDenoiserModelV1(3, 8, [1, 1], [32, 32], [False, True], mapping_cond_dim=0),
        (torch.rand(1, 3, 16, 16), torch.rand(1) + 0.1),
    )


def case_k_transformer():
    from k_diffusion.models.image_transformer_v1 import ImageTransformerDenoiserModelV1

    return (
        ImageTransformerDenoiserModelV1(1, 64, 64, 3, 3, (4, 4)),
        (torch.rand(1, 3, 16, 16), torch.rand(1) + 0.1),
        {"aug_cond": torch.rand(1, 9)},
    )


def case_k_augment():
    from k_diffusion.augmentation import KarrasAugmentWrapper

    class Inner(nn.Module):
        def forward(self, x, sigma, mapping_cond=None):
            return x * sigma[:, None, None, None] + mapping_cond.sum()

    return KarrasAugmentWrapper(Inner()), (torch.rand(1, 3, 8, 8), torch.rand(1)), {"aug_cond": torch.rand(1, 9)}


def case_efficientnet():
    from efficientnet_pytorch import EfficientNet

    return EfficientNet.from_name("efficientnet-b0", image_size=64), (torch.rand(2, 3, 64, 64),)


def picture(name: str, size: int = 64, **options):
    from pytorchcv.model_provider import get_model

    return get_model(name, **options), (torch.rand(2, 3, size, size),)


def case_cv_resnet():
    return picture("resnet10")


def case_cv_shuffle():
    return picture("shufflenetv2_wd2")


def case_cv_darts():
    return picture("darts", size=96)


def case_cv_octresnet():
    return picture("octresnet10_ad2")


def case_cv_pspnet():
    return picture("icnet_resnetd50b_cityscapes", size=128, in_size=(128, 128))


def case_cv_sinet():
    return picture("sinet_cityscapes", size=128, in_size=(128, 128))


def case_cv_centernet():
    return picture("centernet_resnet18_voc", size=64, in_size=(64, 64))


def case_cv_alphapose():
    return picture("alphapose_fastseresnet101b_coco", size=64, in_size=(64, 64))


def case_cv_ibppose():
    return picture("lwopenpose2d_mobilenet_cmupan_coco", size=64, in_size=(64, 64))


def case_cv_jasper():
    from pytorchcv.model_provider import get_model

    return get_model("jasperdr10x5_en_nr"), (torch.rand(1, 64, 40), torch.tensor([40]))


def case_cv_bagnet():
    return picture("bagnet9")


def case_cv_diracnet():
    return picture("diracnet18v2")


def case_cv_revnet():
    return picture("revnet38")


def case_cv_msdnet():
    return picture("msdnet22")


def case_cv_spnasnet():
    return picture("spnasnet")


def case_cv_mixnet():
    return picture("mixnet_s")


def case_cv_selecsls():
    return picture("selecsls42b")


def case_revgrad():
    from pytorch_revgrad import RevGrad

    return nn.Sequential(nn.Linear(3, 3), RevGrad(alpha=2.0)), (torch.rand(2, 3),)


def case_lion():
    from lion_pytorch import Lion

    class Train(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Linear(3, 1)
            self.optimizer = Lion(self.net.parameters(), lr=1e-3)

        def forward(self, x):
            with torch.enable_grad():
                loss = self.net(x).sum()
                self.optimizer.zero_grad()
                loss.backward()
            self.optimizer.step()
            return loss

    return Train(), (torch.rand(2, 3),)


def case_pruning_importance():
    import torch_pruning as tp

    class Importance(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(4, 4, 3))
            self.graph = tp.DependencyGraph().build_dependency(self.net, torch.rand(1, 3, 8, 8))
            self.importance = tp.importance.MagnitudeImportance(p=2)

        def forward(self, x):
            group = self.graph.get_pruning_group(self.net[0], tp.prune_conv_out_channels, idxs=[0, 1])
            return self.net(x).sum() + self.importance(group).sum()

    return Importance(), (torch.rand(1, 3, 8, 8),)
