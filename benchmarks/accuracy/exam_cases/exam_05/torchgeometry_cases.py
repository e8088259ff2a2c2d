"""Cases of torchgeometry."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
import torchgeometry as tgm
from torch import nn

PACKAGES = ["torchgeometry"]


def case_tgm_rotation():
    class Rotate(nn.Module):
        def forward(self, angle):
            return tgm.rotation_matrix_to_angle_axis(tgm.angle_axis_to_rotation_matrix(angle)[:, :3])

    return Rotate(), (torch.rand(4, 3),)


def case_tgm_quaternion():
    class Rotate(nn.Module):
        def forward(self, angle):
            q = tgm.angle_axis_to_quaternion(angle)
            return tgm.quaternion_to_angle_axis(q)

    return Rotate(), (torch.rand(4, 3),)


def case_tgm_homography():
    return tgm.HomographyWarper(8, 8), (torch.rand(2, 3, 8, 8), torch.eye(3).repeat(2, 1, 1))


def case_tgm_warp():
    class Warp(nn.Module):
        def forward(self, image, matrix):
            return tgm.warp_perspective(image, matrix, dsize=(6, 6))

    return Warp(), (torch.rand(2, 3, 8, 8), torch.eye(3).repeat(2, 1, 1))


def case_tgm_affine():
    class Warp(nn.Module):
        def forward(self, image, center, angle):
            matrix = tgm.get_rotation_matrix2d(center, angle, torch.ones(2))
            return tgm.warp_affine(image, matrix, dsize=(6, 6))

    return Warp(), (torch.rand(2, 3, 8, 8), torch.rand(2, 2) * 8, torch.rand(2))


def case_tgm_depth():
    pinhole = tgm.PinholeCamera(
        torch.eye(4)[None], torch.eye(4)[None], torch.tensor([8.0]), torch.tensor([8.0])
    )  # fmt: skip
    warper = tgm.DepthWarper(pinhole, 8, 8)
    warper.compute_projection_matrix(pinhole)
    return warper, (torch.rand(1, 1, 8, 8) + 1, torch.rand(1, 3, 8, 8))


def case_tgm_losses():
    class Losses(nn.Module):
        def __init__(self):
            super().__init__()
            self.dice, self.focal = tgm.losses.DiceLoss(), tgm.losses.FocalLoss(0.5, reduction="mean")
            self.tversky = tgm.losses.TverskyLoss(0.5, 0.5)

        def forward(self, x, y):
            return self.dice(x, y) + self.focal(x, y) + self.tversky(x, y)

    return Losses(), (torch.rand(2, 3, 4, 4), torch.randint(0, 3, (2, 4, 4)))


def case_tgm_ssim():
    return tgm.losses.SSIM(5, reduction="mean"), (torch.rand(2, 3, 16, 16), torch.rand(2, 3, 16, 16))


def case_tgm_smoothness():
    return tgm.losses.InverseDepthSmoothnessLoss(), (torch.rand(2, 1, 8, 8), torch.rand(2, 3, 8, 8))


def case_tgm_argmax():
    return tgm.contrib.SpatialSoftArgmax2d(), (torch.rand(2, 3, 8, 8),)


def case_tgm_patches():
    return tgm.contrib.ExtractTensorPatches(3, stride=2, padding=1), (torch.rand(2, 3, 8, 8),)
