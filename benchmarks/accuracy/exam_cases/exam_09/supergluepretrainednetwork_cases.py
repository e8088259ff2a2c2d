"""Cases of SuperGluePretrainedNetwork."""

from __future__ import annotations

import importlib
import sys

import kornia.filters
import kornia.utils
import torch
from exam_surroundings import ABSENT, absent, inside
from scipy.spatial.transform import Rotation

PACKAGES = ["SuperGluePretrainedNetwork"]


kornia.filters.filter2D = kornia.filters.filter2d  # its name when GIRAFFE was written


Rotation.as_dcm = Rotation.as_matrix  # likewise


sys.modules["kornia.utils.grid"] = kornia.utils  # where LoFTR looks for a function of it


absent(*ABSENT["exam_09_b"])


def unloaded(name: str):
    """A class of SuperGlue's repository, which loads no weights when it is made."""
    inside("SuperGluePretrainedNetwork")
    kind = getattr(importlib.import_module(f"models.{name.lower()}"), name)
    kind.load_state_dict = lambda *_, **__: None
    return kind


def built(kind, config):
    """A model whose constructor reads files that are not there."""
    kept, torch.load = torch.load, lambda *_, **__: {}
    try:
        return kind(config)
    finally:
        torch.load = kept


def case_superglue():
    kind = unloaded("SuperGlue")
    model = built(
        kind,
        {"descriptor_dim": 16, "keypoint_encoder": [8, 16], "GNN_layers": ["self", "cross"], "sinkhorn_iterations": 5},
    )
    data = {"image0": torch.rand(1, 1, 32, 32), "image1": torch.rand(1, 1, 32, 32)}
    for side in "01":
        data |= {
            f"keypoints{side}": torch.rand(1, 10, 2) * 30,
            f"scores{side}": torch.rand(1, 10),
            f"descriptors{side}": torch.randn(1, 16, 10),
        }
    return model, (data,)


def case_superglue_superpoint():
    model = built(unloaded("SuperPoint"), {"max_keypoints": 20, "keypoint_threshold": 0.0})
    return model, ({"image": torch.rand(1, 1, 64, 64)},)


def case_superglue_matching():
    inside("SuperGluePretrainedNetwork")
    from models.matching import Matching

    unloaded("SuperPoint"), unloaded("SuperGlue")
    config = {
        "superpoint": {"keypoint_threshold": 0.0, "max_keypoints": 20},
        "superglue": {"GNN_layers": ["self", "cross"], "sinkhorn_iterations": 3},
    }
    return built(Matching, config), ({"image0": torch.rand(1, 1, 48, 48), "image1": torch.rand(1, 1, 48, 48)},)
