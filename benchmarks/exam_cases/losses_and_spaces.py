"""Losses for speech and for rare classes, hyperbolic layers, convolutions as matrix products, a few transformers."""

from __future__ import annotations

import contextlib

import torch
from torch import nn

with contextlib.suppress(RuntimeError):  # torchvision's wheel is built for CUDA; its Python needs the operators' names
    torch.library.define("torchvision::nms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    torch.library.define("torchvision::qnms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

PACKAGES = (
    "unfoldNd hypll torch_stoi torch_pesq balanced_loss timesformer_pytorch charformer_pytorch byol_pytorch "
    "geometric_vector_perceptron block_recurrent_transformer_pytorch rectified_flow_pytorch"
).split()


def case_unfold_1d():
    import unfoldNd

    return unfoldNd.UnfoldNd(3, padding=1), (torch.randn(2, 3, 8),)


def case_unfold_2d():
    import unfoldNd

    return unfoldNd.UnfoldNd((3, 2), stride=2), (torch.randn(2, 3, 8, 8),)


def case_fold():
    import unfoldNd

    return unfoldNd.FoldNd((6, 6), 2, stride=2), (torch.randn(2, 12, 9),)


def case_unfold_transpose():
    import unfoldNd

    return unfoldNd.UnfoldTransposeNd(2, stride=2), (torch.randn(2, 3, 4),)


class OnBall(nn.Module):
    """A layer on a Poincaré ball, of points that are mapped there."""

    def __init__(self, make) -> None:
        super().__init__()
        from hypll.manifolds.poincare_ball import Curvature, PoincareBall

        self.manifold = PoincareBall(c=Curvature())
        self.layer = make(self.manifold)

    def forward(self, x):
        from hypll.tensors import TangentTensor

        tangents = TangentTensor(data=x, man_dim=1, manifold=self.manifold)
        return self.layer(self.manifold.expmap(tangents)).tensor


def hyperbolic(name: str, *sizes, shape=(4, 8), **options):
    import hypll.nn

    return OnBall(lambda manifold: getattr(hypll.nn, name)(*sizes, manifold=manifold, **options)), (torch.randn(shape),)


def case_hyperbolic_linear():
    return hyperbolic("HLinear", 8, 4)


def case_hyperbolic_linear_without_bias():
    return hyperbolic("HLinear", 8, 4, bias=False)


def case_hyperbolic_relu():
    return hyperbolic("HReLU")


def case_hyperbolic_convolution():
    return hyperbolic("HConvolution2d", 3, 4, 3, shape=(2, 3, 6, 6))


def case_hyperbolic_max_pool():
    return hyperbolic("HMaxPool2d", 2, shape=(2, 3, 6, 6))


def case_hyperbolic_mean_pool():
    return hyperbolic("HAvgPool2d", 2, shape=(2, 3, 6, 6))


def case_hyperbolic_batch_norm():
    return hyperbolic("HBatchNorm", 8)


def case_hyperbolic_batch_norm_of_images():
    return hyperbolic("HBatchNorm2d", 3, shape=(2, 3, 4, 4))


class Distance(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        from hypll.manifolds.poincare_ball import Curvature, PoincareBall

        self.manifold = PoincareBall(c=Curvature())

    def forward(self, x, y):
        from hypll.tensors import TangentTensor

        a = self.manifold.expmap(TangentTensor(data=x, man_dim=1, manifold=self.manifold))
        b = self.manifold.expmap(TangentTensor(data=y, man_dim=1, manifold=self.manifold))
        return self.manifold.dist(a, b)


def case_hyperbolic_distance():
    return Distance(), (torch.randn(4, 8), torch.randn(4, 8))


def case_hyperbolic_embedding():
    import hypll.nn
    from hypll.manifolds.poincare_ball import Curvature, PoincareBall

    class Embedded(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = hypll.nn.HEmbedding(10, 4, PoincareBall(c=Curvature()))

        def forward(self, x):
            return self.embedding(x).tensor

    return Embedded(), (torch.randint(0, 10, (4,)),)


def stoi(**options):
    from torch_stoi import NegSTOILoss

    return NegSTOILoss(sample_rate=10000, **options), (torch.randn(2, 8000), torch.randn(2, 8000))


def case_stoi():
    return stoi()


def case_stoi_without_activity():
    return stoi(use_vad=False)


def case_stoi_extended():
    return stoi(extended=True)


def case_stoi_that_resamples():
    from torch_stoi import NegSTOILoss

    return NegSTOILoss(sample_rate=16000), (torch.randn(2, 12000), torch.randn(2, 12000))


def case_pesq():
    from torch_pesq import PesqLoss

    return PesqLoss(0.5, sample_rate=16000), (torch.randn(1, 16000) * 0.1, torch.randn(1, 16000) * 0.1)


class Mos(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        from torch_pesq import PesqLoss

        self.pesq = PesqLoss(0.5, sample_rate=44100)

    def forward(self, ref, deg):
        return self.pesq.mos(ref, deg)


def case_pesq_as_a_score():
    return Mos(), (torch.randn(1, 44100) * 0.1, torch.randn(1, 44100) * 0.1)


def balanced(kind: str, **options):
    from balanced_loss import Loss

    return Loss(kind, **options), (torch.randn(6, 3), torch.randint(0, 3, (6,)))


def case_balanced_focal():
    return balanced("focal_loss", samples_per_class=[30, 20, 10], class_balanced=True)


def case_balanced_cross_entropy():
    return balanced("cross_entropy", samples_per_class=[30, 20, 10], class_balanced=True)


def case_balanced_binary_safe():
    return balanced("binary_cross_entropy", samples_per_class=[30, 0, 10], class_balanced=True, safe=True)


def case_plain_focal():
    return balanced("focal_loss")


def case_timesformer():
    from timesformer_pytorch import TimeSformer

    model = TimeSformer(dim=16, image_size=16, patch_size=8, num_frames=4, num_classes=3, depth=2, heads=2, dim_head=8)
    return model, (torch.randn(1, 4, 3, 16, 16),), {"mask": torch.ones(1, 4).bool()}


def case_timesformer_without_rotation():
    from timesformer_pytorch import TimeSformer

    model = TimeSformer(
        dim=16, image_size=16, patch_size=8, num_frames=4, num_classes=3, depth=2, heads=2, dim_head=8, rotary_emb=False
    )
    return model, (torch.randn(1, 4, 3, 16, 16),)


def case_charformer():
    from charformer_pytorch import GBST

    model = GBST(num_tokens=257, dim=16, max_block_size=4, downsample_factor=4, score_consensus_attn=True)
    return model, (torch.randint(0, 257, (1, 19)), torch.ones(1, 19).bool())


def case_charformer_of_blocks():
    from charformer_pytorch import GBST

    model = GBST(num_tokens=257, dim=16, blocks=((1, 0), (3, 0), (3, 1)), downsample_factor=3)
    return model, (torch.randint(0, 257, (1, 18)),)


def backbone():
    return nn.Sequential(nn.Conv2d(3, 8, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 8))


def case_byol():
    from byol_pytorch import BYOL

    model = BYOL(backbone(), image_size=16, hidden_layer=-1, projection_size=16, projection_hidden_size=32)
    return model, (torch.rand(4, 3, 16, 16),)


def case_byol_without_momentum():
    from byol_pytorch import BYOL

    model = BYOL(
        backbone(), 16, hidden_layer=-1, projection_size=16, projection_hidden_size=32, use_momentum=False,
        use_simplicial_embeddings=False,
    )  # fmt: skip
    return model, (torch.rand(4, 3, 16, 16),)


def case_byol_embedding():
    from byol_pytorch import BYOL

    model = BYOL(backbone(), image_size=16, hidden_layer=-1, projection_size=16, projection_hidden_size=32)
    return model, (torch.rand(4, 3, 16, 16),), {"return_embedding": True}


def case_vector_perceptron():
    from geometric_vector_perceptron import GVP

    model = GVP(dim_vectors_in=6, dim_vectors_out=4, dim_feats_in=8, dim_feats_out=5)
    return model, ((torch.randn(1, 8), torch.randn(1, 6, 3)),)


def case_vector_norm():
    from geometric_vector_perceptron import GVPLayerNorm

    return GVPLayerNorm(8), (torch.randn(2, 8), torch.randn(2, 6, 3))


def case_block_recurrent():
    from block_recurrent_transformer_pytorch import BlockRecurrentTransformer

    model = BlockRecurrentTransformer(
        num_tokens=50, dim=16, depth=2, dim_head=8, heads=2, max_seq_len=16, block_width=8, num_state_vectors=8,
        recurrent_layers=(2,), use_flash_attn=False,
    )  # fmt: skip
    return model, (torch.randint(0, 50, (1, 16)),)


def case_block_recurrent_loss():
    from block_recurrent_transformer_pytorch import BlockRecurrentTransformer

    model = BlockRecurrentTransformer(
        num_tokens=50, dim=16, depth=2, dim_head=8, heads=2, max_seq_len=16, block_width=8, num_state_vectors=8,
        recurrent_layers=(2,), use_flash_attn=False,
    )  # fmt: skip
    return model, (torch.randint(0, 50, (1, 17)),), {"return_loss": True}


class Velocity(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Conv2d(3, 3, 3, padding=1)

    def forward(self, x, times=None, **_):
        return self.layer(x)


def flow(**options):
    from rectified_flow_pytorch import RectifiedFlow

    return RectifiedFlow(Velocity(), time_cond_kwarg="times", **options), (torch.rand(2, 3, 8, 8),)


def case_rectified_flow():
    return flow()


def case_rectified_flow_of_consistency():
    return flow(use_consistency=True)


def case_rectified_flow_predicting_noise():
    return flow(predict="noise")


def case_rectified_flow_of_optimal_transport():
    return flow(immiscible=True)


def case_unet():
    from rectified_flow_pytorch.rectified_flow import Unet

    return Unet(8, dim_mults=(1, 2)), (torch.rand(2, 3, 8, 8), torch.rand(2))
