"""Cases of sru."""

from __future__ import annotations

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["sru"]


def case_sru():
    import sru

    return sru.SRU(4, 6, num_layers=2), (torch.randn(5, 2, 4),)


def case_sru_everything():
    import sru

    model = sru.SRU(
        4, 6, num_layers=2, bidirectional=True, layer_norm=True, rescale=True, dropout=0.1, projection_size=3
    )
    return model, (torch.randn(5, 2, 4),), {"mask_pad": torch.zeros(5, 2, dtype=torch.bool)}


def case_sru_pp():
    import sru

    return sru.modules.SRUpp(4, 6, 4, num_layers=2), (torch.randn(5, 2, 4),)
