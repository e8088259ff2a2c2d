"""Cases of deepod."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import sys
from unittest.mock import MagicMock

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_08_b"])


sys.modules["torch.utils.tensorboard"] = MagicMock()


PACKAGES = ["deepod"]


def odd(path: str, *inputs, **options):
    """A network or a loss of deepod."""
    module, name = path.rsplit(".", 1)
    made = getattr(importlib.import_module(f"deepod.{module}"), name)
    return made(**options), inputs


def case_deepod_conv_net():
    return odd("core.networks.base_networks.ConvNet", torch.randn(4, 3, 6), n_features=3)


def case_deepod_mlp_autoencoder():
    return odd("core.networks.base_networks.MlpAE", torch.randn(4, 6), n_features=6, n_hidden="8,4", n_emb=2)


def case_deepod_mlp():
    return odd("core.networks.base_networks.MLPnet", torch.randn(4, 6), n_features=6, n_hidden="8,4", n_output=2)


def case_deepod_gru():
    return odd("core.networks.base_networks.GRUNet", torch.randn(4, 9, 6), n_features=6)


def case_deepod_lstm():
    return odd("core.networks.base_networks.LSTMNet", torch.randn(4, 9, 6), n_features=6)


def case_deepod_conv_sequence():
    return odd("core.networks.base_networks.ConvSeqEncoder", torch.randn(4, 100, 6), n_features=6)


def case_deepod_dilated():
    return odd("core.networks.ts_network_dilated_conv.DilatedConvEncoder", torch.randn(4, 20, 6), n_features=6)


def case_deepod_tcn_autoencoder():
    return odd("core.networks.ts_network_tcn.TcnAE", torch.randn(4, 20, 6), n_features=6, n_hidden="8,4")


def case_deepod_tcn():
    return odd("core.networks.ts_network_tcn.TCNnet", torch.randn(4, 20, 6), n_features=6, n_hidden="8,4")


def case_deepod_deviation_loss():
    return odd("models.tabular.devnet.DevLoss", torch.tensor([0.0, 1.0]), torch.randn(2))


def case_deepod_sad_loss():
    loss = {"c": torch.zeros(3)}
    return odd("models.tabular.dsad.DSADLoss", torch.randn(4, 3), torch.tensor([0, 1, -1, 0]), **loss)


def case_deepod_svdd_loss():
    return odd("models.tabular.dsvdd.DSVDDLoss", torch.randn(4, 3), c=torch.zeros(3))


def case_deepod_feawad():
    return odd("models.tabular.feawad.FeaWadNet", torch.randn(4, 6), n_features=6, network="MLP")


def case_deepod_goad():
    return odd("models.tabular.goad.GoadNet", torch.randn(4, 3, 6), n_input=3)


def case_deepod_goad_loss():
    inputs = (torch.randn(4, 3, 6), torch.randn(4, 3, 3), torch.arange(3).repeat(4, 1))
    return odd("models.tabular.goad.GoadLoss", *inputs, device="cpu")


def case_deepod_icl():
    return odd("models.tabular.icl.ICLNet", torch.randn(4, 6), n_features=6, kernel_size=2)


def case_deepod_neutral():
    return odd("models.tabular.neutral.TabNeutralADNet", torch.randn(4, 6), n_features=6, n_trans=3, device="cpu")


def case_deepod_neutral_loss():
    return odd("models.tabular.neutral.DCL", torch.randn(4, 3, 6))


def case_deepod_prenet():
    return odd("models.tabular.prenet.DualInputNet", torch.randn(4, 6), torch.randn(4, 6), n_features=6)


def case_deepod_rca():
    return odd("models.tabular.rca.RCANet", torch.randn(4, 6), torch.randn(4, 6), n_features=6)


def case_deepod_repen_loss():
    return odd("models.tabular.repen.REPENLoss", torch.randn(4, 6), torch.randn(4, 6), torch.randn(4, 6))


def case_deepod_slad_loss():
    return odd("models.tabular.slad.SLADLoss", torch.rand(4, 6), torch.rand(4, 6))


def case_deepod_anomaly_transformer():
    path = "models.time_series.anomalytransformer.AnomalyTransformerModel"
    options = {"win_size": 20, "enc_in": 6, "c_out": 6, "d_model": 16, "n_heads": 2, "e_layers": 1, "device": "cpu"}
    return odd(path, torch.randn(2, 20, 6), **options)


def case_deepod_couta():
    return odd("models.time_series.couta.COUTANet", torch.randn(4, 20, 6), input_dim=6)


def case_deepod_timesnet():
    path = "models.time_series.timesnet.TimesNetModel"
    options = {"seq_len": 20, "pred_len": 0, "enc_in": 6, "c_out": 6, "e_layers": 1, "d_model": 8, "d_ff": 8}
    return odd(path, torch.randn(2, 20, 6), **options, dropout=0.1, top_k=2, num_kernels=2)


def case_deepod_timesnet_embedding():
    return odd("models.time_series.timesnet.DataEmbedding", torch.randn(2, 20, 6), None, c_in=6, d_model=8)


def case_deepod_prob_attention():
    inputs = (torch.randn(2, 20, 2, 8), torch.randn(2, 20, 2, 8), torch.randn(2, 20, 2, 8), None)
    return odd("core.transformer.selfattention_family.ProbAttention", *inputs)


def case_deepod_full_attention():
    inputs = (torch.randn(2, 20, 2, 8), torch.randn(2, 20, 2, 8), torch.randn(2, 20, 2, 8), None)
    return odd("core.transformer.selfattention_family.FullAttention", *inputs)
