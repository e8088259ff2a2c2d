"""Cases of pypose."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import pypose
import torch
from torch import nn

PACKAGES = ["pypose"]


class LieGroup(nn.Module):
    def forward(self, x, p):
        return pypose.Exp(x).Act(p)


def case_lie_group():
    return LieGroup(), (pypose.se3(torch.randn(2, 6)), torch.randn(2, 3))


class LieMatrix(nn.Module):
    def forward(self, x):
        return pypose.mat2SO3(x).tensor()


def case_lie_matrix():
    return LieMatrix(), (torch.eye(3).expand(2, 3, 3),)


class Bspline(nn.Module):
    def forward(self, x):
        return pypose.chspline(x)


def case_bspline():
    return Bspline(), (torch.randn(1, 4, 3),)


def case_pnp():
    import pypose

    points, k = torch.rand(1, 8, 3) + 1, torch.eye(3)[None]
    pixels = pypose.point2pixel(points, k)
    return pypose.module.EPnP(refine=False), (points, pixels, k)


def case_icp():
    import pypose

    return pypose.module.ICP(stepper=pypose.utils.ReduceToBason(steps=2)), (torch.rand(6, 3), torch.rand(6, 3))


def case_imu():
    import pypose

    model = pypose.module.IMUPreintegrator()
    return model, (), {"dt": torch.rand(3, 1), "gyro": torch.rand(3, 3), "acc": torch.rand(3, 3)}


def case_linear_quadratic():
    import pypose

    a, b = torch.eye(2)[None], torch.ones(1, 2, 1)
    system = pypose.module.LTI(a, b, torch.eye(2)[None], torch.zeros(1, 2, 1))
    return pypose.module.LQR(system, torch.eye(3).expand(1, 3, 3, 3), torch.zeros(1, 3, 3), 3), (torch.ones(1, 2),)


def case_kalman():
    import pypose

    class Model(pypose.module.NLS):
        def state_transition(self, state, input, t=None):
            return state + input

        def observation(self, state, input, t=None):
            return state * 2

    model = pypose.module.EKF(Model(), torch.eye(2), torch.eye(2))
    return model, (torch.ones(2), torch.ones(2), torch.zeros(2), torch.eye(2))
