"""Cases of LoFTR."""

from __future__ import annotations

import sys

import kornia.filters
import kornia.utils
import torch
from exam_surroundings import ABSENT, absent, inside
from scipy.spatial.transform import Rotation

PACKAGES = ["LoFTR"]


kornia.filters.filter2D = kornia.filters.filter2d  # its name when GIRAFFE was written


Rotation.as_dcm = Rotation.as_matrix  # likewise


sys.modules["kornia.utils.grid"] = kornia.utils  # where LoFTR looks for a function of it


absent(*ABSENT["exam_09_b"])


def matched(**options):
    """LoFTR, small, and two grey images."""
    inside("LoFTR")
    from src.config.default import get_cfg_defaults
    from src.utils.misc import lower_config

    config = get_cfg_defaults()
    config.LOFTR.COARSE.LAYER_NAMES = ["self", "cross"]
    for key, value in options.items():
        setattr(config.LOFTR.MATCH_COARSE, key.upper(), value)
    from src.loftr import LoFTR

    data = {"image0": torch.rand(1, 1, 64, 64), "image1": torch.rand(1, 1, 64, 64)}
    return LoFTR(lower_config(config)["loftr"]), (data,)


def case_loftr():
    model, args = matched()
    model.eval()
    return model, args
