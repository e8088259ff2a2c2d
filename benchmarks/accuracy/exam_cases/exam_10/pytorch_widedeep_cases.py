"""Cases of pytorch_widedeep."""

from __future__ import annotations

import importlib

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["pytorch_widedeep"]


COLUMNS = {name: i for i, name in enumerate("abcde")}


KINDS = [("a", 4, 3), ("b", 5, 3), ("c", 3, 3)]


ROWS = torch.tensor([[1, 2, 1, 0.5, -1.0], [2, 4, 2, 1.5, 0.3], [3, 1, 2, -0.5, 0.7], [1, 1, 1, 0.1, 0.2]])


def wide_deep(name, kinds=KINDS, **options):
    """A model of pytorch_widedeep on a table of three kinds and two numbers."""
    import pytorch_widedeep.models as models

    return getattr(models, name)(column_idx=COLUMNS, cat_embed_input=kinds, continuous_cols=["d", "e"], **options), (
        ROWS,
    )


PAIRS = [kind[:2] for kind in KINDS]


def case_widedeep_mlp():
    return wide_deep("TabMlp", mlp_hidden_dims=[8], cont_norm_layer="batchnorm")


def case_widedeep_resnet():
    return wide_deep("TabResnet", blocks_dims=[8, 8])


def case_widedeep_tabnet():
    return wide_deep("TabNet", n_steps=2, step_dim=4, attn_dim=4)


def case_widedeep_tab_transformer():
    return wide_deep("TabTransformer", PAIRS, input_dim=8, n_heads=2, n_blocks=1)


def case_widedeep_saint():
    return wide_deep("SAINT", PAIRS, input_dim=8, n_heads=2, n_blocks=1)


def case_widedeep_ft():
    return wide_deep("FTTransformer", PAIRS, input_dim=8, n_heads=2, n_blocks=1)


def case_widedeep_perceiver():
    return wide_deep(
        "TabPerceiver", PAIRS, input_dim=8, n_cross_attn_heads=2, n_latents=2, latent_dim=8, n_latent_heads=2,
        n_perceiver_blocks=1, n_latent_blocks=1,
    )  # fmt: skip


def case_widedeep_fast():
    return wide_deep("TabFastFormer", PAIRS, input_dim=8, n_heads=2, n_blocks=1)


def case_widedeep_context():
    return wide_deep("ContextAttentionMLP", PAIRS, input_dim=8, n_blocks=1)


def loss(name, *given, **options):
    """A loss of pytorch_widedeep."""
    return getattr(importlib.import_module("pytorch_widedeep.losses"), name)(**options), given


def case_widedeep_quantile():
    return loss("QuantileLoss", torch.randn(4, 7), torch.randn(4, 1))


def case_widedeep_tweedie():
    return loss("TweedieLoss", torch.rand(4, 1), torch.rand(4, 1))


def case_widedeep_ziln():
    return loss("ZILNLoss", torch.randn(4, 3), torch.rand(4, 1))


def case_widedeep_focal_regression():
    return loss("FocalR_L1Loss", torch.rand(4, 1), torch.rand(4, 1))


def case_widedeep_focal():
    return loss("FocalLoss", torch.rand(4, 1), torch.randint(0, 2, (4, 1)).float())


def case_widedeep_info_nce():
    return loss("InfoNCELoss", (torch.randn(4, 5), torch.randn(4, 5)))
