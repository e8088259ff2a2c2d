"""Cases of monodepth2."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import absent, inside

absent(
    "faiss",
    "gym",
    "dotmap",
    "visdom",
    "warmup_scheduler",
    "pytorch_lightning",
    "hydra",
    "tensorboard",
    "wandb",
    "skimage",
    "trimesh",
)


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


def edm(name, **options):
    """A preconditioned network of edm."""
    inside("edm")
    module = importlib.import_module("training.networks")
    small = {"model_channels": 16, "channel_mult": [1, 2], "num_blocks": 1, "attn_resolutions": [8]}
    return (
        getattr(module, name)(16, 3, **small, **options),
        (torch.randn(2, 3, 16, 16), torch.tensor([1.0, 2.0])),
    )


def mvsnerf(name, *options, given, **more):
    """A network of mvsnerf."""
    inside("mvsnerf")
    return getattr(importlib.import_module("models"), name)(*options, **more), given
