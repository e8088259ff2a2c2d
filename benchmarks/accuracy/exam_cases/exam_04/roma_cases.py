"""Cases of roma."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import roma
import torch
from torch import nn

PACKAGES = ["roma"]


class Procrustes(nn.Module):
    def forward(self, x):
        return roma.special_procrustes(x)


def case_procrustes():
    return Procrustes(), (torch.randn(4, 3, 3),)


class RotationVectors(nn.Module):
    def forward(self, v):
        return roma.rotmat_to_rotvec(roma.rotvec_to_rotmat(v))


def case_rotation_vectors():
    return RotationVectors(), (torch.randn(4, 3),)


class QuaternionSlerp(nn.Module):
    def forward(self, x, y, z):
        return roma.unitquat_slerp(x, y, z)


def case_quaternion_slerp():
    return QuaternionSlerp(), (roma.random_unitquat(3), roma.random_unitquat(3), torch.linspace(0, 1, 3))


class RigidRegistration(nn.Module):
    def forward(self, x, y):
        return roma.rigid_points_registration(x, y)


def case_rigid_registration():
    return RigidRegistration(), (torch.randn(2, 5, 3), torch.randn(2, 5, 3))


class Euler(nn.Module):
    def forward(self, q):
        return roma.unitquat_to_euler("xyz", q)


def case_euler():
    return Euler(), (roma.random_unitquat(3),)


class GramSchmidt(nn.Module):
    def forward(self, x):
        return roma.special_gramschmidt(x)


def case_gram_schmidt():
    return GramSchmidt(), (torch.randn(4, 3, 2),)
