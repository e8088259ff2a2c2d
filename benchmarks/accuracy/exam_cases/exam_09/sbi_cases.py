"""Cases of sbi."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_d"])


from sbi.neural_nets import embedding_nets  # noqa: E402
from sbi.neural_nets.net_builders import build_maf, build_mdn, build_mlp_classifier, build_nsf  # noqa: E402
from sbi.neural_nets.net_builders.mixed_nets import build_mnle  # noqa: E402

PACKAGES = ["sbi"]


MIXED = torch.cat([torch.randn(20, 1), torch.arange(20).reshape(20, 1) % 3], 1)


class Mixture(torch.nn.Module):
    """What an estimator of sbi is trained on."""

    def __init__(self):
        super().__init__()
        self.net = build_mdn(torch.randn(20, 2), torch.randn(20, 3), hidden_features=8, num_components=3)

    def forward(self, x, y):
        return self.net.loss(x, y)


def case_sbi_mdn():
    return Mixture(), (torch.randn(5, 2), torch.randn(5, 3))


class Maf(torch.nn.Module):
    """What an estimator of sbi is trained on."""

    def __init__(self):
        super().__init__()
        self.net = build_maf(torch.randn(20, 2), torch.randn(20, 3), hidden_features=8, num_transforms=2)

    def forward(self, x, y):
        return self.net.loss(x, y)


def case_sbi_maf():
    return Maf(), (torch.randn(5, 2), torch.randn(5, 3))


class Nsf(torch.nn.Module):
    """What an estimator of sbi is trained on."""

    def __init__(self):
        super().__init__()
        self.net = build_nsf(torch.randn(20, 2), torch.randn(20, 3), hidden_features=8, num_transforms=2)

    def forward(self, x, y):
        return self.net.loss(x, y)


def case_sbi_nsf():
    return Nsf(), (torch.randn(5, 2), torch.randn(5, 3))


class Mixed(torch.nn.Module):
    """What an estimator of sbi is trained on."""

    def __init__(self):
        super().__init__()
        self.net = build_mnle(MIXED, torch.randn(20, 3), hidden_features=8)

    def forward(self, x, y):
        return self.net.loss(x, y)


def case_sbi_mnle():
    return Mixed(), (MIXED[:5], torch.randn(5, 3))


def case_sbi_classifier():
    return build_mlp_classifier(torch.randn(20, 2), torch.randn(20, 3), hidden_features=8), (
        torch.randn(5, 2),
        torch.randn(5, 3),
    )


def case_sbi_cnn():
    return embedding_nets.CNNEmbedding((16, 16), output_dim=4), (torch.randn(3, 1, 16, 16),)


def case_sbi_sets():
    inner = embedding_nets.FCEmbedding(4, output_dim=5)
    x = torch.randn(3, 6, 4)
    x[1, 4:] = float("nan")
    return embedding_nets.PermutationInvariantEmbedding(inner, 5, output_dim=4), (x,)


def case_sbi_causal():
    return embedding_nets.CausalCNNEmbedding((32,), num_conv_layers=2, pool_kernel_size=4, output_dim=4), (
        torch.randn(3, 32),
    )


def case_sbi_transformer():
    return embedding_nets.TransformerEmbedding(
        feature_space_dim=8, num_attention_heads=2, num_key_value_heads=2, head_dim=4, final_emb_dimension=4
    ), (torch.randn(3, 6, 8),)


def case_sbi_lru():
    return embedding_nets.LRUEmbedding(input_dim=4, output_dim=4, state_dim=6, hidden_dim=6, num_blocks=1), (
        torch.randn(3, 8, 4),
    )


def case_sbi_resnet():
    return embedding_nets.ResNetEmbedding1D(8, 4), (torch.randn(3, 8),)
