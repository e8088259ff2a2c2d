"""Cases of beat_this."""

from __future__ import annotations

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["beat_this"]


def case_beat_this():
    from beat_this.model.beat_tracker import BeatThis

    model = BeatThis(spect_dim=128, transformer_dim=32, ff_mult=1, n_layers=1, head_dim=16, stem_dim=16)
    return model, (torch.randn(1, 20, 128),)


def case_beat_this_loss():
    from beat_this.model.loss import ShiftTolerantBCELoss

    target = (torch.rand(2, 20) > 0.8).float()
    return ShiftTolerantBCELoss(2), (torch.randn(2, 20), target, torch.ones(2, 20, dtype=torch.bool))


def case_beat_this_split_loss():
    from beat_this.model.loss import SplittedShiftTolerantBCELoss

    target = (torch.rand(2, 20) > 0.8).float()
    return SplittedShiftTolerantBCELoss(2), (torch.randn(2, 20), target, torch.ones(2, 20, dtype=torch.bool))
