"""Papers' own code on series: forecasts, traffic, sessions, worlds that agents imagine."""

from __future__ import annotations

import importlib
import sys
from types import SimpleNamespace
from unittest.mock import MagicMock

import numpy as np
import torch
from exam_surroundings import inside

PACKAGES = ["Time-Series-Library", "MTGNN", "AGCRN", "SCINet", "DCRNN_PyTorch", "SR-GNN"]


def forecast(name: str, *, task="long_term_forecast", length=96, horizon=24, **options):
    """A model of the Time-Series-Library and the four tensors that its training loop hands over."""
    inside("Time-Series-Library")
    given = {
        "task_name": task,
        "model": name,
        "features": "M",
        "freq": "h",
        "seq_len": length,
        "label_len": 48,
        "pred_len": horizon,
        "seasonal_patterns": "Monthly",
        "expand": 2,
        "d_conv": 4,
        "top_k": 3,
        "num_kernels": 3,
        "tv_dt": 0,
        "tv_B": 0,
        "tv_C": 0,
        "use_D": 0,
        "enc_in": 7,
        "dec_in": 7,
        "c_out": 7,
        "d_model": 32,
        "n_heads": 4,
        "e_layers": 2,
        "d_layers": 1,
        "d_ff": 32,
        "moving_avg": 25,
        "factor": 1,
        "distil": True,
        "dropout": 0.1,
        "embed": "timeF",
        "activation": "gelu",
        "channel_independence": 1,
        "decomp_method": "moving_avg",
        "use_norm": 1,
        "down_sampling_layers": 0,
        "down_sampling_window": 1,
        "down_sampling_method": None,
        "seg_len": 24,
        "p_hidden_dims": [32, 32],
        "p_hidden_layers": 2,
        "use_amp": False,
        "patch_len": 16,
        "node_dim": 10,
        "gcn_depth": 2,
        "gcn_dropout": 0.3,
        "propalpha": 0.3,
        "conv_channel": 8,
        "skip_channel": 8,
        "individual": False,
        "alpha": 0.1,
        "top_p": 0.5,
        "pos": 1,
        "gpu": 0,
        "use_gpu": False,
        "gpu_type": "cpu",
        "device": torch.device("cpu"),
        "batch_size": 4,
        "num_class": 3,
        "output_attention": False,
        **options,
    }
    model = importlib.import_module(f"models.{name}").Model(SimpleNamespace(**given))
    series, marks = torch.randn(4, length, 7), torch.randn(4, length, 4)
    later = torch.randn(4, 48 + horizon, 7), torch.randn(4, 48 + horizon, 4)
    return model, (series, marks, *later)


def case_tsl_autoformer():
    return forecast("Autoformer")


def case_tsl_crossformer():
    return forecast("Crossformer")


def case_tsl_dlinear():
    return forecast("DLinear")


def case_tsl_etsformer():
    return forecast("ETSformer", d_layers=2)


def case_tsl_fedformer():
    return forecast("FEDformer")


def case_tsl_film():
    return forecast("FiLM")


def case_tsl_frets():
    return forecast("FreTS")


def case_tsl_informer():
    return forecast("Informer")


def case_tsl_kanad():
    return forecast("KANAD", task="anomaly_detection")


def case_tsl_lightts():
    return forecast("LightTS")


def case_tsl_msgnet():
    return forecast("MSGNet")


def case_tsl_mambasimple():
    return forecast("MambaSimple")


def case_tsl_multipatchformer():
    return forecast("MultiPatchFormer")


def case_tsl_nonstationary():
    return forecast("Nonstationary_Transformer")


def case_tsl_nonstationary_imputation():
    model, (series, marks, *later) = forecast("Nonstationary_Transformer", task="imputation")
    return model, (series, marks, *later, torch.rand(4, 96, 7) > 0.25)


def case_tsl_pattn():
    return forecast("PAttn")


def case_tsl_patchtst():
    return forecast("PatchTST")


def case_tsl_reformer():
    return forecast("Reformer")


def case_tsl_scinet():
    return forecast("SCINet")


def case_tsl_segrnn():
    return forecast("SegRNN")


def case_tsl_tsmixer():
    return forecast("TSMixer")


def case_tsl_tide():
    return forecast("TiDE")


def case_tsl_timefilter():
    return forecast("TimeFilter")


def case_tsl_timemixer():
    return forecast("TimeMixer", down_sampling_layers=2, down_sampling_window=2, down_sampling_method="avg")


def case_tsl_timexer():
    return forecast("TimeXer")


def case_tsl_timesnet():
    return forecast("TimesNet")


def case_tsl_timesnet_classification():
    model, (series, *_) = forecast("TimesNet", task="classification", horizon=0)
    return model, (series, torch.ones(4, 96), None, None)


def case_tsl_wpmixer():
    return forecast("WPMixer")


def case_tsl_itransformer():
    return forecast("iTransformer")


def case_mtgnn():
    inside("MTGNN")
    from net import gtnet

    model = gtnet(
        True,
        True,
        2,
        10,
        "cpu",
        subgraph_size=4,
        conv_channels=8,
        residual_channels=8,
        skip_channels=8,
        end_channels=16,
        seq_length=12,
        in_dim=2,
        out_dim=12,
        layers=2,
    )
    return model, (torch.randn(2, 2, 10, 12), torch.arange(10))


def case_mtgnn_given_graph():
    inside("MTGNN")
    from net import gtnet

    model = gtnet(
        True,
        False,
        2,
        10,
        "cpu",
        predefined_A=torch.rand(10, 10),
        conv_channels=8,
        residual_channels=8,
        skip_channels=8,
        end_channels=16,
        seq_length=12,
        in_dim=2,
        out_dim=12,
        layers=2,
    )
    return model, (torch.randn(2, 2, 10, 12),)


def case_agcrn():
    inside("AGCRN")
    from model.AGCRN import AGCRN

    args = SimpleNamespace(
        num_nodes=10,
        input_dim=1,
        rnn_units=16,
        output_dim=1,
        horizon=12,
        num_layers=2,
        default_graph=True,
        embed_dim=4,
        cheb_k=2,
    )
    model = AGCRN(args)
    for parameter in model.parameters():
        torch.nn.init.uniform_(parameter)
    return model, (torch.randn(2, 12, 10, 1), torch.randn(2, 12, 10, 1))


def case_scinet():
    inside("SCINet")
    from models.SCINet import SCINet

    return SCINet(output_len=24, input_len=48, input_dim=7, hid_size=1, num_levels=2), (torch.randn(2, 48, 7),)


def case_scinet_two_stacks_and_positions():
    inside("SCINet")
    from models.SCINet import SCINet

    model = SCINet(24, 48, input_dim=7, num_stacks=2, num_levels=2, concat_len=0, positionalE=True, RIN=True)
    return model, (torch.randn(2, 48, 7),)


def case_scinet_decompose():
    inside("SCINet")
    from models.SCINet_decompose import SCINet_decompose

    return SCINet_decompose(24, 48, input_dim=7, num_levels=2, RIN=True), (torch.randn(2, 48, 7),)


def traffic(**options):
    """A model of DCRNN on a graph of ten sensors."""
    inside("DCRNN_PyTorch")
    import logging

    sys.modules["tensorflow"] = MagicMock()  # its tools for data are of both libraries
    from model.pytorch.dcrnn_model import DCRNNModel

    del sys.modules["tensorflow"]

    given = {
        "num_nodes": 10,
        "num_rnn_layers": 2,
        "rnn_units": 8,
        "max_diffusion_step": 2,
        "input_dim": 2,
        "output_dim": 1,
        "seq_len": 6,
        "horizon": 6,
        "cl_decay_steps": 1000,
        "use_curriculum_learning": False,
        "filter_type": "laplacian",
        **options,
    }
    model = DCRNNModel(np.random.default_rng(0).random((10, 10)).astype("float32"), logging.getLogger("dcrnn"), **given)
    inputs, labels = torch.randn(6, 4, 20), torch.randn(6, 4, 10)
    model(inputs, labels, 1)  # its layers are made by the first call, as its supervisor makes them
    return model, (inputs, labels, 1)


def case_dcrnn():
    return traffic()


def case_dcrnn_curriculum():
    return traffic(use_curriculum_learning=True, filter_type="dual_random_walk")


def case_sr_gnn():
    inside("SR-GNN", "pytorch_code")
    from model import SessionGraph

    opt = SimpleNamespace(
        hiddenSize=16, batchSize=4, nonhybrid=False, step=1, lr=1e-3, l2=1e-5, lr_dc_step=3, lr_dc=0.1
    )
    return SessionGraph(opt, 30), (torch.randint(1, 30, (4, 6)), torch.rand(4, 6, 12))


def case_sr_gnn_scores():
    inside("SR-GNN", "pytorch_code")
    from model import SessionGraph

    opt = SimpleNamespace(hiddenSize=16, batchSize=4, nonhybrid=True, step=2, lr=1e-3, l2=1e-5, lr_dc_step=3, lr_dc=0.1)
    model = SessionGraph(opt, 30)
    return model.compute_scores, (torch.randn(4, 6, 16), torch.ones(4, 6).long())
