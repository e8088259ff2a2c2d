"""Clustering, parametrizations, calibrated layers, factorization machines, CRFs, quality measures, memories."""

from __future__ import annotations

import contextlib

import torch
from torch import nn

with contextlib.suppress(RuntimeError):  # torchvision's wheel is built for CUDA; its Python needs the operators' names
    torch.library.define("torchvision::nms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    torch.library.define("torchvision::qnms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

PACKAGES = (
    "piqa torch_kmeans fast_pytorch_kmeans torchfm focal_frequency_loss pytorch_optimizer geotorch xlstm "
    "minGRU_pytorch resnest titans_pytorch mixture_of_experts native_sparse_attention_pytorch swin_transformer_pytorch "
    "torchensemble monotonicnetworks pytorch_lattice difftopk torch_cubic_spline_grids pytorch_partial_crf "
    "pytorch_pretrained_vit neurodiffeq dasp_pytorch recurrent_memory_transformer_pytorch en_transformer "
    "pretrainedmodels pysdtw pesto"
).split()


def image(channels: int = 3, size: int = 64, n: int = 2) -> torch.Tensor:
    return torch.rand(n, channels, size, size)


def quality(name: str, size: int = 64, **options):
    import piqa

    return getattr(piqa, name)(**options), (image(size=size), image(size=size))


def case_psnr():
    return quality("PSNR")


def case_ssim():
    return quality("SSIM")


def case_ms_ssim():
    return quality("MS_SSIM", 192)


def case_gmsd():
    return quality("GMSD")


def case_ms_gmsd():
    return quality("MS_GMSD")


def case_mdsi():
    return quality("MDSI")


def case_haarpsi():
    return quality("HaarPSI")


def case_vsi():
    return quality("VSI")


def case_fsim():
    return quality("FSIM")


def case_total_variation():
    import piqa

    return piqa.TV(), (image(),)


def case_kmeans_of_batches():
    import torch_kmeans

    return torch_kmeans.KMeans(n_clusters=3, verbose=False), (torch.randn(2, 20, 4),)


def case_soft_kmeans():
    import torch_kmeans

    return torch_kmeans.SoftKMeans(n_clusters=3, verbose=False), (torch.randn(2, 20, 4),)


def case_constrained_kmeans():
    import torch_kmeans

    model = torch_kmeans.ConstrainedKMeans(n_clusters=3, verbose=False)
    return model, (torch.randn(2, 20, 4),), {"weights": torch.full((2, 20), 0.1)}


def case_nearest_neighbours():
    from torch_kmeans.clustering import KNN

    return KNN(k=3), (torch.randn(2, 20, 4),)


class Clusters(nn.Module):
    def __init__(self, **options) -> None:
        super().__init__()
        from fast_pytorch_kmeans import KMeans

        self.kmeans = KMeans(n_clusters=3, **options)

    def forward(self, x):
        return self.kmeans.fit_predict(x)


def case_clusters():
    return Clusters(), (torch.randn(40, 4),)


def case_clusters_by_cosine():
    return Clusters(mode="cosine", init_method="kmeans++"), (torch.randn(40, 4),)


def fields() -> torch.Tensor:
    return torch.randint(0, 5, (4, 3))


def case_factorization_machine():
    from torchfm.model.fm import FactorizationMachineModel

    return FactorizationMachineModel([5, 5, 5], 4), (fields(),)


def case_deep_factorization_machine():
    from torchfm.model.dfm import DeepFactorizationMachineModel

    return DeepFactorizationMachineModel([5, 5, 5], 4, (8,), 0.1), (fields(),)


def case_extreme_deep_factorization_machine():
    from torchfm.model.xdfm import ExtremeDeepFactorizationMachineModel

    return ExtremeDeepFactorizationMachineModel([5, 5, 5], 4, (8,), 0.1, (8, 8)), (fields(),)


def case_adaptive_factorization_network():
    from torchfm.model.afn import AdaptiveFactorizationNetwork

    return AdaptiveFactorizationNetwork([5, 5, 5], 4, 6, (8,), (0.1,)), (fields(),)


def case_automatic_feature_interaction():
    from torchfm.model.afi import AutomaticFeatureInteractionModel

    return AutomaticFeatureInteractionModel([5, 5, 5], 4, 8, 2, 2, (8,), (0.1, 0.1)), (fields(),)


def case_field_aware_factorization_machine():
    from torchfm.model.ffm import FieldAwareFactorizationMachineModel

    return FieldAwareFactorizationMachineModel([5, 5, 5], 4), (fields(),)


def case_product_network():
    from torchfm.model.pnn import ProductNeuralNetworkModel

    return ProductNeuralNetworkModel([5, 5, 5], 4, (8,), 0.1), (fields(),)


def case_focal_frequency():
    from focal_frequency_loss import FocalFrequencyLoss

    return FocalFrequencyLoss(), (image(size=16), image(size=16))


def case_focal_frequency_of_patches():
    from focal_frequency_loss import FocalFrequencyLoss

    return FocalFrequencyLoss(patch_factor=2, ave_spectrum=True, batch_matrix=True), (image(size=16), image(size=16))


def loss(name: str, *sizes, inputs=None, **options):
    import pytorch_optimizer.loss

    made = inputs or (torch.rand(4, 6), torch.randint(0, 2, (4, 6)).float())
    return getattr(pytorch_optimizer.loss, name)(*sizes, **options), made


def classes():
    return torch.randn(4, 3), torch.randint(0, 3, (4,))


def case_bi_tempered():
    return loss("BiTemperedLogisticLoss", 0.8, 1.2, inputs=classes())


def case_binary_bi_tempered():
    inputs = torch.randn(4, 1), torch.randint(0, 2, (4, 1)).float()
    return loss("BinaryBiTemperedLogisticLoss", 0.8, 1.2, inputs=inputs)


def case_dice():
    return loss("DiceLoss", inputs=(torch.randn(2, 1, 8, 8), torch.randint(0, 2, (2, 1, 8, 8)).float()))


def case_jaccard_of_classes():
    return loss("JaccardLoss", "multiclass", inputs=(torch.randn(2, 3, 8, 8), torch.randint(0, 3, (2, 8, 8))))


def case_soft_f1():
    return loss("SoftF1Loss")


def case_focal():
    return loss("FocalLoss")


def case_focal_cosine():
    return loss("FocalCosineLoss", inputs=classes())


def case_ldam():
    return loss("LDAMLoss", [5, 3, 2], inputs=classes())


def case_lovasz_hinge():
    return loss("LovaszHingeLoss", inputs=(torch.randn(2, 8, 8), torch.randint(0, 2, (2, 8, 8))))


def case_tversky():
    return loss("TverskyLoss")


def constrained(name: str, size: int = 6, **options):
    import geotorch

    layer = nn.Linear(size, size)
    getattr(geotorch, name)(layer, "weight", **options)
    return layer, (torch.randn(2, size),)


def case_orthogonal():
    return constrained("orthogonal")


def case_skew():
    return constrained("skew")


def case_sphere():
    return constrained("sphere")


def case_low_rank():
    return constrained("low_rank", rank=2)


def case_positive_definite():
    return constrained("positive_definite")


def case_almost_orthogonal():
    return constrained("almost_orthogonal", lam=0.5)


def case_special_linear():
    return constrained("sln")


def case_alpha_stable():
    return constrained("alpha_stable", alpha=0.5)


def case_xlstm():
    import xlstm

    mlstm = xlstm.mLSTMBlockConfig(
        mlstm=xlstm.mLSTMLayerConfig(conv1d_kernel_size=4, qkv_proj_blocksize=4, num_heads=2)
    )
    config = xlstm.xLSTMBlockStackConfig(mlstm_block=mlstm, context_length=8, num_blocks=2, embedding_dim=16)
    return xlstm.xLSTMBlockStack(config), (torch.randn(2, 8, 16),)


def case_slstm():
    import xlstm

    layer = xlstm.sLSTMLayerConfig(backend="vanilla", num_heads=2, conv1d_kernel_size=4)
    slstm = xlstm.sLSTMBlockConfig(slstm=layer, feedforward=xlstm.FeedForwardConfig(proj_factor=1.3))
    config = xlstm.xLSTMBlockStackConfig(
        slstm_block=slstm, context_length=4, num_blocks=1, embedding_dim=16, slstm_at=[0]
    )
    return xlstm.xLSTMBlockStack(config), (torch.randn(2, 4, 16),)


def case_min_gru():
    from minGRU_pytorch import minGRU

    return minGRU(16), (torch.randn(2, 8, 16),)


def case_min_gru_step():
    from minGRU_pytorch import minGRU

    return minGRU(16), (torch.randn(2, 1, 16), torch.rand(2, 1, 16)), {"return_next_prev_hidden": True}


def case_min_lm():
    from minGRU_pytorch.minLM import minLM

    return (
        minLM(num_tokens=20, dim=16, depth=2, enable_conv=True),
        (torch.randint(0, 20, (2, 8)),),
        {"return_loss": True},
    )


def case_resnest():
    from resnest.torch import resnest50

    return resnest50(), (image(n=1),)


def case_neural_memory():
    from titans_pytorch import NeuralMemory

    return NeuralMemory(dim=16, chunk_size=4), (torch.randn(2, 8, 16),)


def case_memory_as_context():
    from titans_pytorch import MemoryAsContextTransformer

    model = MemoryAsContextTransformer(
        num_tokens=20,
        dim=16,
        depth=2,
        segment_len=8,
        num_persist_mem_tokens=2,
        num_longterm_mem_tokens=2,
        dim_head=8,
        heads=2,
    )
    return model, (torch.randint(0, 20, (1, 16)),)


def case_experts():
    from mixture_of_experts import MoE

    return MoE(dim=16, num_experts=4), (torch.randn(2, 32, 16),)


def case_experts_by_threshold():
    from mixture_of_experts import MoE

    return MoE(dim=16, num_experts=4, second_policy_eval="threshold"), (torch.randn(2, 32, 16),)


def case_experts_of_experts():
    from mixture_of_experts import HeirarchicalMoE

    return HeirarchicalMoE(dim=16, num_experts=(2, 2)), (torch.randn(2, 32, 16),)


def case_sparse_attention():
    from native_sparse_attention_pytorch import SparseAttention

    model = SparseAttention(
        dim=32, dim_head=8, heads=2, sliding_window_size=2, compress_block_size=4, compress_block_sliding_stride=2,
        selection_block_size=4, num_selected_blocks=2, causal=True,
    )  # fmt: skip
    return model, (torch.randn(2, 16, 32),)


def case_swin():
    from swin_transformer_pytorch import SwinTransformer

    model = SwinTransformer(
        hidden_dim=16, layers=(2, 2, 2, 2), heads=(1, 1, 2, 2), head_dim=8, window_size=2, num_classes=5
    )
    return model, (image(n=1),)


class Classifier(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(6, 3)

    def forward(self, x):
        return self.layer(x)


def ensemble(name: str):
    import torchensemble

    model = getattr(torchensemble, name)(estimator=Classifier, n_estimators=2, cuda=False)
    model.n_outputs = 3
    model.estimators_.extend([Classifier(), Classifier()])
    return model, (torch.randn(4, 6),)


def case_fusion():
    return ensemble("FusionClassifier")


def case_voting():
    return ensemble("VotingClassifier")


def case_bagging():
    return ensemble("BaggingRegressor")


def case_neural_tree():
    from torchensemble._base import BaseTree

    return BaseTree(6, 3, depth=2), (torch.randn(4, 6),)


def case_lipschitz():
    from monotonicnetworks import LipschitzLinear

    return LipschitzLinear(6, 4, kind="one"), (torch.randn(2, 6),)


def case_monotonic():
    from monotonicnetworks import GroupSort, LipschitzLinear, MonotonicWrapper

    layers = nn.Sequential(LipschitzLinear(6, 8, kind="one-inf"), GroupSort(2), LipschitzLinear(8, 1, kind="inf"))
    return MonotonicWrapper(layers, monotonic_constraints=[1, 0, 0, 1, 0, 0]), (torch.randn(2, 6),)


def case_norm_of_units():
    from monotonicnetworks import RMSNorm

    return RMSNorm(6), (torch.randn(2, 6),)


def case_lattice():
    from pytorch_lattice.layers import Lattice

    return Lattice([2, 3]), (torch.rand(4, 2),)


def case_lattice_of_simplices():
    from pytorch_lattice.enums import Interpolation
    from pytorch_lattice.layers import Lattice

    return Lattice([2, 3], interpolation=Interpolation.SIMPLEX), (torch.rand(4, 2),)


def case_numerical_calibrator():
    import numpy as np
    from pytorch_lattice.layers import NumericalCalibrator

    return NumericalCalibrator(np.linspace(0.0, 1.0, 5), missing_input_value=-1.0), (torch.rand(4, 1),)


def case_categorical_calibrator():
    from pytorch_lattice.layers import CategoricalCalibrator

    return CategoricalCalibrator(4, missing_input_value=-1.0), (torch.randint(0, 4, (4, 1)).double(),)


def case_random_lattices():
    from pytorch_lattice.layers import RTL

    return RTL([None, None, None], num_lattices=2, lattice_rank=2), (torch.rand(4, 3),)


def top(method: str, **options):
    from difftopk import TopKCrossEntropyLoss

    return TopKCrossEntropyLoss(method, 1.0, p_k=[0.5, 0.5], n=8, m=4, **options), (
        torch.randn(4, 8),
        torch.randint(0, 8, (4,)),
    )


def case_top_by_network():
    return top("bitonic")


def case_top_by_sort():
    return top("softsort")


def case_top_by_neural_sort():
    return top("neuralsort")


def case_smooth_top():
    from difftopk import SmoothTopKLoss

    return SmoothTopKLoss(8, 2), (torch.randn(4, 8), torch.randint(0, 8, (4,)))


def case_spline_of_one_dimension():
    from torch_cubic_spline_grids import CubicBSplineGrid1d

    return CubicBSplineGrid1d(resolution=6, n_channels=2), (torch.rand(10, 1),)


def case_spline_of_two_dimensions():
    from torch_cubic_spline_grids import CubicCatmullRomGrid2d

    return CubicCatmullRomGrid2d(resolution=(6, 6), n_channels=2), (torch.rand(10, 2),)


def case_crf():
    from pytorch_partial_crf import CRF

    return CRF(4), (torch.randn(2, 5, 4), torch.randint(0, 4, (2, 5)))


def case_partial_crf():
    from pytorch_partial_crf import PartialCRF

    return PartialCRF(4), (torch.randn(2, 5, 4), torch.tensor([[0, 1, -1, 2, 3], [1, -1, 2, 2, 0]]))


def case_marginal_crf():
    from pytorch_partial_crf import MarginalCRF

    return MarginalCRF(4), (torch.randn(2, 5, 4), torch.rand(2, 5, 4))


class Tags(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        from pytorch_partial_crf import CRF

        self.crf = CRF(4)

    def forward(self, emissions):
        return self.crf.viterbi_decode(emissions)


def case_decoded_tags():
    return Tags(), (torch.randn(2, 5, 4),)


def case_vision_transformer():
    from pytorch_pretrained_vit import ViT

    model = ViT(image_size=32, patches=8, dim=16, ff_dim=32, num_heads=2, num_layers=2, num_classes=5)
    return model, (image(size=32),)


def case_resnet_of_networks():
    from neurodiffeq.networks import FCNN, Resnet

    return nn.Sequential(FCNN(2, 4), Resnet(4, 1)), (torch.randn(4, 2),)


def case_sine_network():
    from neurodiffeq.networks import SinActv, Swish

    return nn.Sequential(nn.Linear(2, 4), SinActv(), nn.Linear(4, 4), Swish(trainable=True)), (torch.randn(4, 2),)


class Gained(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        from dasp_pytorch import Gain

        self.processor = Gain(16000)

    def forward(self, x, parameters):
        return self.processor.process_normalized(x, parameters)


def case_gain():
    return Gained(), (torch.rand(1, 1, 4096) - 0.5, torch.rand(1, 1))


class Equalized(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        from dasp_pytorch import ParametricEQ

        self.processor = ParametricEQ(16000)

    def forward(self, x, parameters):
        return self.processor.process_normalized(x, parameters)


def case_equalizer():
    return Equalized(), (torch.rand(1, 1, 4096) - 0.5, torch.rand(1, 18))


class Compressed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        from dasp_pytorch import Compressor

        self.processor = Compressor(16000)

    def forward(self, x, parameters):
        return self.processor.process_normalized(x, parameters)


def case_compressor():
    return Compressed(), (torch.rand(1, 1, 4096) - 0.5, torch.rand(1, 6))


class Reverb(nn.Module):
    def __init__(self, length: int) -> None:
        super().__init__()
        self.length = length

    def forward(self, x, gains, decays, mix):
        import dasp_pytorch

        return dasp_pytorch.noise_shaped_reverberation(
            x, 44100, *gains.unbind(1), *decays.unbind(1), mix, num_samples=self.length, num_bandpass_taps=63
        )


def case_reverb():
    return Reverb(1000), (torch.rand(1, 2, 2000), torch.rand(1, 12), torch.rand(1, 12), torch.rand(1))


def case_recurrent_memory():
    from recurrent_memory_transformer_pytorch import RecurrentMemoryTransformer

    model = RecurrentMemoryTransformer(
        16, num_tokens=20, depth=2, num_memory_tokens=2, seq_len=8, dim_head=8, heads=2, use_xl_memories=True
    )
    return model, (torch.randint(0, 20, (1, 8)),)


def case_recurrent_memory_over_segments():
    from recurrent_memory_transformer_pytorch import RecurrentMemoryTransformer, RecurrentMemoryTransformerWrapper

    model = RecurrentMemoryTransformer(16, num_tokens=20, depth=2, num_memory_tokens=2, seq_len=8, dim_head=8, heads=2)
    return RecurrentMemoryTransformerWrapper(model), (torch.randint(0, 20, (1, 20)),), {"return_loss": True}


def case_equivariant_transformer():
    from en_transformer import EnTransformer

    model = EnTransformer(dim=16, depth=2, num_tokens=10, dim_head=32, heads=2, neighbors=4, rel_pos_emb=True)
    return model, (torch.randint(0, 10, (1, 12)), torch.randn(1, 12, 3)), {"mask": torch.ones(1, 12).bool()}


def case_equivariant_attention():
    from en_transformer import EquivariantAttention

    model = EquivariantAttention(dim=16, dim_head=8, heads=2, only_sparse_neighbors=True)
    return model, (torch.randn(1, 12, 16), torch.randn(1, 12, 3)), {"adj_mat": torch.rand(1, 12, 12) > 0.5}


def case_pretrained(name: str = "se_resnet50"):
    import pretrainedmodels

    return pretrainedmodels.__dict__[name](pretrained=None), (image(size=224, n=1),)


def case_pretrained_paths():
    return case_pretrained("dpn68")


def case_pretrained_inception():
    return case_pretrained("bninception")


def case_soft_dtw():
    import pysdtw

    return pysdtw.SoftDTW(use_cuda=False), (torch.randn(2, 8, 3), torch.randn(2, 6, 3))


def case_pitch_network():
    from pesto.model import Resnet1d

    return Resnet1d(n_bins_in=216, output_dim=128), (torch.rand(2, 1, 216),)
