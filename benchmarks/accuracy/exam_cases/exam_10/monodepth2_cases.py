"""Cases of monodepth2."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_a"])


PACKAGES = ["monodepth2"]


def case_monodepth_depth():
    inside("monodepth2")
    import numpy as np
    from networks.depth_decoder import DepthDecoder

    channels = np.array([8, 8, 16, 32, 64])
    return DepthDecoder(channels), ([torch.randn(1, c, 32 // 2**i, 32 // 2**i) for i, c in enumerate(channels)],)


def case_monodepth_pose():
    inside("monodepth2")
    import numpy as np
    from networks.pose_decoder import PoseDecoder

    return PoseDecoder(np.array([8, 8, 16, 32, 64]), 2, 1), ([[torch.randn(1, 64, 4, 4)], [torch.randn(1, 64, 4, 4)]],)


def case_monodepth_pose_cnn():
    inside("monodepth2")
    from networks.pose_cnn import PoseCNN

    return PoseCNN(2), (torch.rand(1, 6, 64, 64),)


def case_monodepth_encoder():
    inside("monodepth2")
    from networks.resnet_encoder import ResnetEncoder

    return ResnetEncoder(18, False), (torch.rand(1, 3, 64, 64),)


def case_monodepth_layers():
    inside("monodepth2")
    from layers import BackprojectDepth

    return BackprojectDepth(1, 8, 8), (torch.rand(1, 1, 8, 8), torch.eye(4)[None])


def case_monodepth_ssim():
    inside("monodepth2")
    from layers import SSIM

    return SSIM(), (torch.rand(1, 3, 8, 8), torch.rand(1, 3, 8, 8))
