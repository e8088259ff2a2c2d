"""Cases of pypots."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import inspect
import sys
from unittest.mock import MagicMock

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_08_b"])


sys.modules["torch.utils.tensorboard"] = MagicMock()


PACKAGES = ["pypots"]


SERIES = {
    "n_steps": 24, "n_features": 5, "n_layers": 1, "d_model": 16, "n_heads": 2, "d_k": 8, "d_v": 8, "d_ffn": 16,
    "dropout": 0.1, "attn_dropout": 0.1, "ORT_weight": 1.0, "MIT_weight": 1.0, "factor": 3, "rnn_hidden_size": 8,
    "moving_avg_window_size": 5, "seg_len": 6, "win_size": 2, "individual": False, "top_k": 2, "n_encoder_layers": 1,
    "n_decoder_layers": 1, "version": "Fourier", "modes": 4, "mode_select": "random", "window_size": [24],
    "multiscale": [1, 2], "modes1": 4, "ratio": 0.5, "mode_type": 0, "cut_freq": 6, "apply_nonstationary_norm": True,
    "embed_size": 8, "hidden_size": 8, "channel_independence": False, "distil": False, "n_seg_steps": 6,
    "d_dynamic": 8, "d_hidden": 8, "n_hidden_layers": 1, "n_blocks": 1, "multistep": False, "alpha": 0.2,
    "conv_kernel": [4, 6], "patch_size": 6, "patch_stride": 6, "downsampling_ratio": 2, "ffn_ratio": 1,
    "num_blocks": [1], "large_size": [5], "small_size": [3], "dims": [8], "small_kernel_merged": False,
    "backbone_dropout": 0.0, "head_dropout": 0.0, "use_multi_scale": False, "d_projector_hidden": [8, 8],
    "n_projector_hidden_layers": 2, "inner_size": 2, "bucket_size": 4, "n_hashes": 2, "causal": False,
    "n_stacks": 1, "n_levels": 2, "n_groups": 1, "kernel_size": 3, "concat_len": 0, "pos_enc": False,
    "diagonal_attention_mask": True, "dropout_rate": 0.1, "leaky_rate": 0.2, "n_fod": 2, "d_feature_encode": 8,
    "d_temporal_decoder_hidden": 8, "decomp_method": "moving_avg", "moving_avg": 5, "downsampling_layers": 1,
    "downsampling_window": 2, "n_kernels": 2, "channel_mixing": True, "d_embedding": 16, "mask_ratio": 0.4,
    "block_hidden_size": 16, "num_residual_layers": 1, "res_hidden_size": 8, "embedding_dim": 8,
    "num_embeddings": 16, "commitment_cost": 0.25, "compression_factor": 4, "n_channels": 8, "d_time_embedding": 8,
    "d_feature_embedding": 4, "d_diffusion_embedding": 8, "is_unconditional": False, "n_diffusion_steps": 3,
    "schedule": "quad", "beta_start": 0.0001, "beta_end": 0.2, "input_dim": 5, "time_length": 24, "latent_dim": 4,
    "d_pe": 4, "d_feature_embed": 4, "d_input_embed": 8, "d_learnable_embed": 8, "d_proj": 4, "n_temporal_heads": 2,
    "output_dim": 1, "lambda_mse": 1.0, "step_channels": 8, "consistency_weight": 0.1, "imputation_weight": 0.9,
    "n_classes": 2, "n_clusters": 2, "n_generator_layers": 1, "decoder_fcn_output_dims": None, "n_pred_steps": 4,
    "n_pred_features": 5, "rnn_cell_type": "GRU", "lambda_kmeans": 1.0, "n_random_hidden": 4,
}  # fmt: skip


def gaps(task: str, name: str, **other):
    """The core of a model of pypots, and a batch of series with gaps."""
    import pypots.nn.modules.loss as losses

    module = importlib.import_module(f"pypots.{task}.{name}.core")
    made = next(c for n, c in vars(module).items() if n.lower() == f"_{name.replace('_', '')}")
    wanted = inspect.signature(made.__init__).parameters
    options = {**SERIES, "training_loss": losses.MAE(), "validation_metric": losses.MSE(), **other}
    if task == "classification":
        options["training_loss"] = losses.CrossEntropy()
    x, mask = torch.randn(2, 24, 5), (torch.rand(2, 24, 5) > 0.2).float()
    hidden = mask * (torch.rand(2, 24, 5) > 0.2).float()
    delta = torch.rand(2, 24, 5)
    one = {"X": x * hidden, "missing_mask": hidden, "deltas": delta, "last_obs": x}
    given = {
        "X": x * hidden, "missing_mask": hidden, "X_ori": x, "indicating_mask": mask - hidden, "deltas": delta,
        "empirical_mean": torch.zeros(5), "X_filledLOCF": x, "forward": one, "backward": one,
        "y": torch.tensor([0, 1]), "X_pred": torch.randn(2, 4, 5), "X_pred_missing_mask": torch.ones(2, 4, 5),
    }  # fmt: skip
    return made(**{key: options[key] for key in wanted if key in options}), (given,), {"calc_criterion": True}


def case_pypots_autoformer():
    return gaps("imputation", "autoformer")


def case_pypots_brits():
    return gaps("imputation", "brits")


def case_pypots_crossformer():
    return gaps("imputation", "crossformer")


def case_pypots_dlinear():
    return gaps("imputation", "dlinear")


def case_pypots_etsformer():
    return gaps("imputation", "etsformer")


def case_pypots_film():
    return gaps("imputation", "film")


def case_pypots_fits():
    return gaps("imputation", "fits")


def case_pypots_frets():
    return gaps("imputation", "frets")


def case_pypots_grud():
    return gaps("imputation", "grud")


def case_pypots_helix():
    return gaps("imputation", "helix")


def case_pypots_imputeformer():
    return gaps("imputation", "imputeformer", input_dim=1)


def case_pypots_informer():
    return gaps("imputation", "informer", n_steps=24)


def case_pypots_itransformer():
    return gaps("imputation", "itransformer")


def case_pypots_micn():
    return gaps("imputation", "micn")


def case_pypots_moderntcn():
    return gaps("imputation", "moderntcn")


def case_pypots_mrnn():
    return gaps("imputation", "mrnn")


def case_pypots_nonstationary():
    return gaps("imputation", "nonstationary_transformer")


def case_pypots_patchtst():
    return gaps("imputation", "patchtst")


def case_pypots_pyraformer():
    return gaps("imputation", "pyraformer", window_size=[2, 2])


def case_pypots_reformer():
    return gaps("imputation", "reformer")


def case_pypots_saits():
    return gaps("imputation", "saits")


def case_pypots_scinet():
    return gaps("imputation", "scinet")


def case_pypots_segrnn():
    return gaps("imputation", "segrnn")


def case_pypots_stemgnn():
    return gaps("imputation", "stemgnn", n_stacks=2)


def case_pypots_tcn():
    return gaps("imputation", "tcn")


def case_pypots_tefn():
    return gaps("imputation", "tefn")


def case_pypots_tide():
    return gaps("imputation", "tide")


def case_pypots_timemixer():
    return gaps("imputation", "timemixer")


def case_pypots_timemixerpp():
    return gaps("imputation", "timemixerpp", task_name="imputation")


def case_pypots_timesnet():
    return gaps("imputation", "timesnet")


def case_pypots_totem():
    return gaps("imputation", "totem")


def case_pypots_transformer():
    return gaps("imputation", "transformer")


def case_pypots_tslanet():
    return gaps("imputation", "tslanet")


def case_pypots_usgan():
    model, given, _ = gaps("imputation", "usgan")
    return model, given


def case_pypots_classify_brits():
    return gaps("classification", "brits", classification_weight=1.0, reconstruction_weight=1.0)


def case_pypots_classify_grud():
    return gaps("classification", "grud")


def case_pypots_classify_saits():
    return gaps("classification", "saits")


def case_pypots_cluster_crli():
    model, given, _ = gaps("clustering", "crli")
    return model, given
