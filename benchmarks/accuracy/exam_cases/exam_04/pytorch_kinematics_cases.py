"""Cases of pytorch_kinematics."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import pytorch_kinematics
import torch
from torch import nn

PACKAGES = ["pytorch_kinematics"]


URDF = """<robot name="arm"><link name="a"/><link name="b"/><link name="c"/>
<joint name="one" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="two" type="prismatic"><parent link="b"/><child link="c"/><origin xyz="0 1 0"/><axis xyz="1 0 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"""


def robot():
    import pytorch_kinematics

    return pytorch_kinematics.build_serial_chain_from_urdf(URDF, "c")


class Kinematics(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.chain = robot()

    def forward(self, th):
        return self.chain.forward_kinematics(th).get_matrix()


def case_kinematics():
    return Kinematics(), (torch.rand(3, 2),)


class Jacobian(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.chain = robot()

    def forward(self, x):
        return self.chain.jacobian(x)


def case_jacobian():
    return Jacobian(), (torch.rand(3, 2),)


class AllLinks(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.chain = pytorch_kinematics.build_chain_from_urdf(URDF)

    def forward(self, th):
        return self.chain.forward_kinematics(th)["c"].get_matrix()


def case_all_links():
    return AllLinks(), (torch.rand(3, 2),)


class Transforms(nn.Module):
    def moved(self, points, rotation):
        return (
            pytorch_kinematics.Transform3d(rot=rotation, pos=points[0])
            .compose(pytorch_kinematics.Translate(points[:1]))
            .transform_points(points)
        )

    def forward(self, x, y):
        return self.moved(x, y)


def case_transforms():
    return Transforms(), (torch.rand(3, 3), torch.eye(3))


class MatrixToQuaternion(nn.Module):
    def forward(self, x):
        return pytorch_kinematics.matrix_to_quaternion(x)


def case_matrix_to_quaternion():
    return MatrixToQuaternion(), (torch.eye(3).expand(2, 3, 3),)


class So3Log(nn.Module):
    def forward(self, v):
        return pytorch_kinematics.so3_log_map(pytorch_kinematics.so3_exp_map(v))


def case_so3_log():
    return So3Log(), (torch.rand(2, 3),)


class Slerp(nn.Module):
    def forward(self, x, y, z):
        return pytorch_kinematics.quaternion_slerp(x, y, z)


def case_slerp():
    return Slerp(), (torch.rand(2, 4), torch.rand(2, 4), 0.3)
