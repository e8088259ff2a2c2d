"""Cases of pytorch_tcn."""

from __future__ import annotations

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["pytorch_tcn"]


def case_tcn():
    from pytorch_tcn import TCN

    return TCN(3, [4, 4]), (torch.randn(2, 3, 20),)


def case_tcn_gated():
    from pytorch_tcn import TCN

    model = TCN(3, [4, 4], use_gate=True, use_skip_connections=True, embedding_shapes=[(2, 20)], output_projection=5)
    return model, (torch.randn(2, 3, 20),), {"embeddings": torch.randn(2, 2, 20)}


def case_tcn_streaming():
    from pytorch_tcn import TCN

    return TCN(3, [4, 4]), (torch.randn(1, 3, 20),), {"inference": True}
