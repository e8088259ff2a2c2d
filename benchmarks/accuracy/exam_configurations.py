"""Configurations that cases of several packages share."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import torch
from exam_surroundings import inside

SMAC = {
    "n_agents": 3,
    "n_actions": 4,
    "state_shape": 6,
    "obs_shape": 5,
    "rnn_hidden_dim": 8,
    "mixing_embed_dim": 8,
    "qtran_arch": "qtran_paper",
    "network_size": "small",
    "qtran_hidden_dim": 8,
    "critic_dim": 8,
    "attention_dim": 4,
    "hard": True,
    "cuda": False,
    "k": 2,
    "noise_dim": 2,
    "hyper_hidden_dim": 8,
    "qmix_hidden_dim": 8,
    "two_hyper_layers": True,
    "last_action": True,
    "reuse_network": True,
}


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


def names(**given):
    """A configuration whose parts are read as attributes, and as items."""
    made = {key: names(**value) if isinstance(value, dict) else value for key, value in given.items()}
    return Names(**made)


class Names(SimpleNamespace):
    """What configuration libraries hand out."""

    def __getitem__(self, name):
        return getattr(self, name)

    def get(self, name, default=None):
        """As dicts do."""
        return getattr(self, name, default)
