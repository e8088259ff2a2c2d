"""Cases of braindecode."""

from __future__ import annotations

import torch
from exam_surroundings import absent

absent(
    "torchaudio",
)


PACKAGES = ["braindecode"]


def waves(name: str, *, channels=8, times=512, rate=128, **options):
    """A model of braindecode and two recordings."""
    from braindecode import models

    sizes = {"n_outputs": 4, "n_chans": channels, "n_times": times, "sfreq": rate}
    return getattr(models, name)(**sizes, **options), (torch.randn(2, channels, times),)


def case_braindecode_attention_base_cbam():
    return waves("AttentionBaseNet", attention_mode="cbam")


def case_braindecode_attention_base_fca():
    return waves("AttentionBaseNet", attention_mode="fca")


def case_braindecode_bendr():
    return waves("BENDR", encoder_h=32, contextualizer_hidden=64, transformer_layers=1, transformer_heads=4)


def case_braindecode_biot():
    return waves("BIOT", times=1000, rate=200, embed_dim=32, num_heads=4, num_layers=1)


def case_braindecode_brain_module():
    return waves("BrainModule", hidden_dim=16, depth=2)


def case_braindecode_brain_module_with_glu():
    return waves("BrainModule", hidden_dim=16, depth=4, glu=2, glu_context=1)


def case_braindecode_contrawr():
    return waves("ContraWR", emb_size=16, res_channels=[8, 8], steps=20)


def case_braindecode_miner_plv():
    return waves("EEGMiner", method="plv")


def case_braindecode_miner_correlation():
    return waves("EEGMiner", method="corr")


def case_braindecode_syncnet():
    return waves("SyncNet")


def case_braindecode_tidnet():
    return waves("TIDNet")


def case_braindecode_tsinception():
    return waves("TSception")


def case_braindecode_usleep():
    return waves("USleep", channels=2, times=3000, rate=100, depth=3)


def case_braindecode_luna():
    return waves("LUNA", times=320, depth=1)


def augmented(name: str, *arguments, **options):
    """An augmentation of braindecode, which draws on a generator of its own."""
    from braindecode import augmentation

    return getattr(augmentation, name)(1.0, *arguments, **options), (torch.randn(4, 8, 256), torch.zeros(4).long())


def case_braindecode_time_reverse():
    return augmented("TimeReverse")


def case_braindecode_sign_flip():
    return augmented("SignFlip")


def case_braindecode_surrogate():
    return augmented("FTSurrogate")


def case_braindecode_channels_dropout():
    return augmented("ChannelsDropout")


def case_braindecode_channels_shuffle():
    return augmented("ChannelsShuffle")


def case_braindecode_noise():
    return augmented("GaussianNoise")


def case_braindecode_time_mask():
    return augmented("SmoothTimeMask")


def case_braindecode_frequency_shift():
    return augmented("FrequencyShift", sfreq=128)
