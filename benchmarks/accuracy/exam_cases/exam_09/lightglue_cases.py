"""Cases of LightGlue."""

from __future__ import annotations

import sys

import kornia.filters
import kornia.utils
import torch
from exam_surroundings import ABSENT, absent, inside
from scipy.spatial.transform import Rotation

PACKAGES = ["LightGlue"]


kornia.filters.filter2D = kornia.filters.filter2d  # its name when GIRAFFE was written


Rotation.as_dcm = Rotation.as_matrix  # likewise


sys.modules["kornia.utils.grid"] = kornia.utils  # where LoFTR looks for a function of it


absent(*ABSENT["exam_09_b"])


def case_lightglue():
    inside("LightGlue")
    from lightglue.lightglue import LightGlue

    def image():
        return {
            "keypoints": torch.rand(1, 12, 2) * 60,
            "descriptors": torch.randn(1, 12, 16),
            "image_size": torch.tensor([[64.0, 64.0]]),
        }

    model = LightGlue(None, input_dim=16, descriptor_dim=16, n_layers=3, num_heads=2)
    return model, ({"image0": image(), "image1": image()},)


def case_lightglue_without_pruning():
    model, (data,) = case_lightglue()
    model.conf.depth_confidence = model.conf.width_confidence = -1
    return model, (data,)


def case_lightglue_superpoint():
    inside("LightGlue")
    torch.hub.load_state_dict_from_url = lambda *_, **__: {}
    from lightglue.superpoint import SuperPoint

    loading, SuperPoint.load_state_dict = SuperPoint.load_state_dict, lambda *_, **__: None
    model = SuperPoint(max_num_keypoints=20)
    SuperPoint.load_state_dict = loading
    return model, ({"image": torch.rand(1, 1, 64, 64)},)
