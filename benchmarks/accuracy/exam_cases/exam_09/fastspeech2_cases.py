"""Cases of FastSpeech2."""

from __future__ import annotations

import json
import os
import tempfile

import torch
from exam_surroundings import ABSENT, absent, inside

PACKAGES = ["FastSpeech2"]


absent(*ABSENT["exam_09_a"])


def spoken(**options):
    """FastSpeech 2 with features of phonemes, and one batch of its data set."""
    inside("FastSpeech2")
    from model import FastSpeech2, FastSpeech2Loss

    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, "stats.json"), "w") as file:
        json.dump({"pitch": [-2.0, 2.0, 0.0, 1.0], "energy": [-2.0, 2.0, 0.0, 1.0]}, file)
    with open(os.path.join(folder, "speakers.json"), "w") as file:
        json.dump({"a": 0, "b": 1}, file)
    level = options.get("level", "phoneme_level")
    preprocess = {
        "preprocessing": {"mel": {"n_mel_channels": 80}, "pitch": {"feature": level}, "energy": {"feature": level}},
        "path": {"preprocessed_path": folder},
    }
    kinds = {"encoder": 1, "decoder": 1}
    transformer = {f"{kind}_layer": count for kind, count in kinds.items()}
    for kind in kinds:
        transformer |= {f"{kind}_head": 2, f"{kind}_hidden": 16, f"{kind}_dropout": 0.2}
    config = {
        "transformer": {**transformer, "conv_filter_size": 16, "conv_kernel_size": [9, 1]},
        "variance_predictor": {"filter_size": 16, "kernel_size": 3, "dropout": 0.5},
        "variance_embedding": {"pitch_quantization": "linear", "energy_quantization": "linear", "n_bins": 8},
        "multi_speaker": options.get("speakers", False),
        "max_seq_len": 40,
    }
    lengths, frames = torch.tensor([6, 4]), torch.tensor([12, 8])
    durations = torch.tensor([[2] * 6, [2] * 4 + [0] * 2])
    features = torch.randn(2, 6) if level == "phoneme_level" else torch.randn(2, 12)
    args = (
        torch.tensor([0, 1]),
        torch.randint(1, 50, (2, 6)),
        lengths,
        6,
        torch.randn(2, 12, 80),
        frames,
        12,
        features,
        features.clone(),
        durations,
    )
    return FastSpeech2(preprocess, config), FastSpeech2Loss(preprocess, config), args


def case_fastspeech2():
    model, _, args = spoken()
    return model, args


def case_fastspeech2_frames_and_speakers():
    model, _, args = spoken(level="frame_level", speakers=True)
    return model, args


def case_fastspeech2_synthesis():
    model, _, args = spoken()
    return model.eval(), args[:4], {"d_control": 1.1}


def case_fastspeech2_loss():
    model, loss, args = spoken()
    with torch.no_grad():
        predicted = model.eval()(*args)
    return loss, ((None, None, *args), predicted)
