"""Cases of smplx."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_c"])


from audioseal.builder import create_detector, create_generator  # noqa: E402, F401
from smplx.lbs import (  # noqa: E402
    batch_rodrigues,
    find_dynamic_lmk_idx_and_bcoords,
    lbs,
    vertices2landmarks,
)

PACKAGES = ["smplx"]


class Skin(torch.nn.Module):
    """A body of 30 vertices and four joints."""

    def __init__(self, turned):
        super().__init__()
        self.turned = turned
        self.parents = torch.tensor([-1, 0, 1, 1])
        self.shapes, self.poses = torch.randn(30, 3, 5), torch.randn(27, 90)
        self.template, self.joints = torch.randn(30, 3), torch.rand(4, 30)
        self.weights = torch.rand(30, 4).softmax(1)

    def forward(self, betas, pose):
        return lbs(
            betas,
            pose,
            self.template,
            self.shapes,
            self.poses,
            self.joints,
            self.parents,
            self.weights,
            pose2rot=self.turned,
        )


def case_smplx_skin():
    return Skin(True), (torch.randn(2, 5), torch.randn(2, 12))


def case_smplx_skin_of_matrices():
    return Skin(False), (torch.randn(2, 5), torch.eye(3).repeat(2, 4, 1, 1))


class Landmarks(torch.nn.Module):
    """Landmarks on a face that turns."""

    def forward(self, vertices, pose, indices, weights, faces):
        found = find_dynamic_lmk_idx_and_bcoords(vertices, pose, indices, weights, torch.tensor([1, 0]))
        return vertices2landmarks(vertices, faces, *found), batch_rodrigues(pose.reshape(-1, 3))


def case_smplx_landmarks():
    args = (
        torch.randn(2, 30, 3),
        torch.randn(2, 12),
        torch.randint(0, 20, (79, 5)),
        torch.rand(79, 5, 3),
        torch.randint(0, 30, (20, 3)),
    )
    return Landmarks(), args
