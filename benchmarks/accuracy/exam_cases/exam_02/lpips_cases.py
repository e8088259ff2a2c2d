"""Cases of lpips."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["lpips"]


def case_perceptual():
    import lpips

    model = lpips.LPIPS(pretrained=False, net="squeeze", pnet_rand=True, verbose=False)
    return model, (torch.rand(1, 3, 64, 64), torch.rand(1, 3, 64, 64))
