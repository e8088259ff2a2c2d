"""Cases of Time-Series-Library."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import torch
from exam_surroundings import inside

PACKAGES = ["Time-Series-Library"]


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
