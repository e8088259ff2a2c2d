"""Cases of cebra."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["cebra"]


def case_offset_model():
    import cebra.models

    return cebra.models.init("offset10-model", 4, 8, 3), (torch.randn(2, 4, 10),)


def case_resampled_model():
    import cebra.models

    return cebra.models.init("offset40-model-4x-subsample", 4, 8, 3), (torch.randn(2, 4, 40),)


def case_info_nce():
    from cebra.models.criterions import LearnableCosineInfoNCE

    return LearnableCosineInfoNCE(1.0, min_temperature=0.1), (torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 3))


def case_nce():
    from cebra.models.criterions import NCE

    return NCE(), (torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 3))
