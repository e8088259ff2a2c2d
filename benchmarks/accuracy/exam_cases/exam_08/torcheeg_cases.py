"""Cases of torcheeg."""

from __future__ import annotations

import sys
from unittest.mock import MagicMock

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_08_b"])


sys.modules["torch.utils.tensorboard"] = MagicMock()


PACKAGES = ["torcheeg"]


def eeg(name: str, *shape, **options):
    """A model of torcheeg and an input."""
    from torcheeg import models

    return getattr(models, name)(**options), (torch.randn(shape),)


def case_torcheeg_ccnn():
    return eeg("CCNN", 2, 4, 9, 9)


def case_torcheeg_csp():
    return eeg("CSPNet", 2, 1, 22, 1750)


def case_torcheeg_eegnet():
    return eeg("EEGNet", 2, 1, 60, 151)


def case_torcheeg_fbccnn():
    return eeg("FBCCNN", 2, 4, 9, 9)


def case_torcheeg_fbcnet():
    return eeg("FBCNet", 2, 9, 20, 1000)


def case_torcheeg_fbmsnet():
    return eeg("FBMSNet", 2, 9, 22, 512, in_channels=9, num_electrodes=22, chunk_size=512)


def case_torcheeg_lmda():
    return eeg("LMDA", 2, 1, 22, 1750)


def case_torcheeg_stnet():
    return eeg("STNet", 2, 128, 9, 9)


def case_torcheeg_tsception():
    return eeg("TSCeption", 2, 1, 28, 512)


def case_torcheeg_tslanet():
    return eeg("TSLANet", 2, 1, 3000)


def case_torcheeg_usleep():
    return eeg("USleep", 2, 1, 3000, depth=3)


def case_torcheeg_unet():
    model, _ = eeg("BUNet", 1, hid_channels=16)
    return model, (torch.randn(2, 4, 9, 9), torch.randint(0, 256, (2,)))


def case_torcheeg_conditional_unet():
    model, _ = eeg("BCUNet", 1, hid_channels=16)
    return model, (torch.randn(2, 4, 9, 9), torch.randint(0, 256, (2,)), torch.randint(0, 2, (2,)))


def case_torcheeg_glow():
    return eeg("BGlow", 2, 4, 32, 32, hidden_channels=8, num_steps=1, num_blocks=2)


def case_torcheeg_conditional_glow():
    model, (x,) = eeg("BCGlow", 2, 4, 32, 32, hidden_channels=8, num_steps=1, num_blocks=2)
    return model, (x, torch.tensor([0, 1]))


def case_torcheeg_generator():
    return eeg("BGenerator", 2, 128)


def case_torcheeg_discriminator():
    return eeg("BDiscriminator", 2, 4, 9, 9)


def case_torcheeg_conditional_generator():
    model, (x,) = eeg("BCGenerator", 2, 128)
    return model, (x, torch.tensor([0, 2]))


def case_torcheeg_fuse():
    return eeg("EEGfuseNet", 2, 1, 32, 384)


def case_torcheeg_dgcnn():
    return eeg("DGCNN", 2, 62, 5)


def case_torcheeg_lgg():
    return eeg("LGGNet", 2, 1, 32, 128, region_list=[[0, 1], list(range(2, 32))])


def case_torcheeg_gru():
    return eeg("GRU", 2, 32, 128)


def case_torcheeg_lstm():
    return eeg("LSTM", 2, 32, 128)


def case_torcheeg_arjun():
    return eeg("ArjunViT", 2, 32, 128)


def case_torcheeg_conformer():
    return eeg("Conformer", 2, 1, 62, 200, depth=1)


def case_torcheeg_simple_vit():
    return eeg("SimpleViT", 2, 128, 9, 9)


def case_torcheeg_vae_encoder():
    return eeg("BEncoder", 2, 4, 9, 9)
