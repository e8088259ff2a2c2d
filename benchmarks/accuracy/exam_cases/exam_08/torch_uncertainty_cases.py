"""Cases of torch_uncertainty."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util

import torch
from exam_surroundings import ABSENT, absent
from torch import nn

absent(*ABSENT["exam_08_a"])


PACKAGES = ["torch_uncertainty"]


def of(path: str, *inputs, **options):
    """A class by its path, made with `options`, and its inputs."""
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**options), inputs


UNSURE = "torch_uncertainty."


def case_unsure_batch_linear():
    options = {"in_features": 4, "out_features": 3, "num_estimators": 2}
    return of(UNSURE + "layers.BatchLinear", torch.randn(4, 4), **options)


def case_unsure_batch_conv():
    options = {"in_channels": 3, "out_channels": 4, "kernel_size": 3, "num_estimators": 2}
    return of(UNSURE + "layers.BatchConv2d", torch.randn(4, 3, 8, 8), **options)


def case_unsure_bayes_linear():
    return of(UNSURE + "layers.BayesLinear", torch.randn(4, 4), in_features=4, out_features=3)


def case_unsure_bayes_conv():
    options = {"in_channels": 3, "out_channels": 4, "kernel_size": 3}
    return of(UNSURE + "layers.BayesConv2d", torch.randn(4, 3, 8, 8), **options)


def case_unsure_lpbnn():
    path = UNSURE + "layers.bayesian.LPBNNLinear"
    return of(path, torch.randn(4, 4), in_features=4, out_features=3, num_estimators=2, hidden_size=4)


def case_unsure_lpbnn_conv():
    path = UNSURE + "layers.bayesian.LPBNNConv2d"
    options = {"in_channels": 3, "out_channels": 4, "kernel_size": 3, "num_estimators": 2, "hidden_size": 4}
    return of(path, torch.randn(4, 3, 8, 8), **options)


def case_unsure_masked():
    options = {"in_features": 16, "out_features": 3, "num_estimators": 2, "scale": 2.0}
    return of(UNSURE + "layers.MaskedLinear", torch.randn(4, 16), **options)


def case_unsure_packed():
    options = {"in_features": 4, "out_features": 4, "alpha": 2, "num_estimators": 2}
    return of(UNSURE + "layers.PackedLinear", torch.randn(4, 8), **options)


def case_unsure_packed_attention():
    path = UNSURE + "layers.PackedMultiheadAttention"
    inputs = (torch.randn(3, 2, 16),) * 3
    return of(path, *inputs, embed_dim=8, num_heads=2, alpha=2, num_estimators=2)


def case_unsure_packed_encoder():
    path = UNSURE + "layers.PackedTransformerEncoderLayer"
    return of(path, torch.randn(3, 2, 16), d_model=8, nhead=2, alpha=2, num_estimators=2, dim_feedforward=8)


def case_unsure_evidence_loss():
    inputs = (torch.rand(4, 3), torch.tensor([0, 1, 2, 0]), 2)
    return of(UNSURE + "losses.DECLoss", *inputs, annealing_step=10, reg_weight=0.1)


def case_unsure_confidence_loss():
    return of(UNSURE + "losses.ConfidencePenaltyLoss", torch.randn(4, 3), torch.tensor([0, 1, 2, 0]))


def case_unsure_focal_loss():
    return of(UNSURE + "losses.FocalLoss", torch.randn(4, 3), torch.tensor([0, 1, 2, 0]), gamma=2.0)


def case_unsure_smooth_loss():
    inputs = (torch.randn(4, 3), torch.rand(4, 3).round())
    return of(UNSURE + "losses.BCEWithLogitsLSLoss", *inputs, label_smoothing=0.1)


def case_unsure_mixup_loss():
    return of(UNSURE + "losses.MixupMPLoss", torch.randn(4, 3), torch.rand(4, 3).softmax(-1))


def case_unsure_beta_nll():
    inputs = (torch.randn(4), torch.randn(4), torch.rand(4) + 0.1)
    return of(UNSURE + "losses.BetaNLL", *inputs)


class Evidence(nn.Module):
    """A regression's distribution and its loss."""

    def __init__(self) -> None:
        super().__init__()
        from torch_uncertainty.losses import DistributionNLLLoss

        self.linear, self.loss = nn.Linear(4, 1), DistributionNLLLoss()

    def forward(self, x, y):
        mean = self.linear(x)
        return self.loss(torch.distributions.Normal(mean, torch.ones_like(mean)), y)


def case_unsure_distribution_loss():
    return Evidence(), (torch.randn(4, 4), torch.randn(4, 1))


def case_unsure_elbo():
    from torch_uncertainty.layers import BayesLinear
    from torch_uncertainty.losses import ELBOLoss

    model = ELBOLoss(BayesLinear(4, 3), nn.CrossEntropyLoss(), kl_weight=0.1, num_samples=2)
    return model, (torch.randn(4, 4), torch.tensor([0, 1, 2, 0]))


def small():
    return nn.Sequential(nn.Flatten(), nn.Linear(48, 8), nn.Dropout(0.5), nn.ReLU(), nn.Linear(8, 3))


def case_unsure_dropout():
    from torch_uncertainty.methods import mc_dropout

    return mc_dropout(small(), num_estimators=2), (torch.randn(4, 48),)


def case_unsure_ensemble():
    from torch_uncertainty.methods import deep_ensembles

    return deep_ensembles([small(), small()], task="classification"), (torch.randn(4, 48),)


def case_unsure_batch_ensemble():
    from torch_uncertainty.methods import BatchEnsemble

    return BatchEnsemble(small(), num_estimators=2, convert_layers=True), (torch.randn(4, 48),)


def case_unsure_moving_average():
    from torch_uncertainty.methods import EMA

    return EMA(small(), momentum=0.9), (torch.randn(4, 48),)


def case_unsure_stochastic():
    from torch_uncertainty.layers import BayesLinear
    from torch_uncertainty.methods import StochasticModel

    return StochasticModel(BayesLinear(4, 3), num_samples=2), (torch.randn(4, 4),)


def case_unsure_zero_shot():
    from torch_uncertainty.methods import Zero

    return Zero(small(), num_tta=4, filter_views=0.5), (torch.randn(8, 3, 4, 4),)


def case_unsure_energy():
    return of(UNSURE + "ood_criteria.EnergyCriterion", torch.randn(4, 3))


def case_unsure_mutual_information():
    return of(UNSURE + "ood_criteria.MutualInformationCriterion", torch.randn(2, 4, 3))


def case_unsure_variation_ratio():
    return of(UNSURE + "ood_criteria.VariationRatioCriterion", torch.randn(2, 4, 3))


def case_unsure_frn():
    return of(UNSURE + "layers.FilterResponseNorm2d", torch.randn(2, 4, 8, 8), num_channels=4)


def case_unsure_mc_batch_norm():
    return of(UNSURE + "layers.mc_batch_norm.MCBatchNorm2d", torch.randn(2, 4, 8, 8), num_features=4, num_estimators=2)


def case_unsure_resnet():
    path = UNSURE + "models.classification.resnet.packed_resnet"
    options = {"in_channels": 3, "num_classes": 4, "arch": 18, "num_estimators": 2, "alpha": 2, "gamma": 1}
    return of(path, torch.randn(2, 3, 16, 16), **options, style="cifar")


def case_unsure_segformer():
    return of(UNSURE + "models.segmentation.segformer.seg_former", torch.randn(1, 3, 64, 64), num_classes=3, arch=0)
