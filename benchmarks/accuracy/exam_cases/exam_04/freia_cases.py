"""Cases of FrEIA."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["FrEIA"]


def subnet(inputs: int, outputs: int) -> nn.Module:
    return nn.Sequential(nn.Linear(inputs, 8), nn.ReLU(), nn.Linear(8, outputs))


def invertible(name: str, channels: int = 4, **options):
    from FrEIA import framework, modules

    model = framework.SequenceINN(channels)
    for _ in range(2):
        model.append(getattr(modules, name), **options)
    return model, (torch.rand(8, channels),)


def case_all_in_one():
    return invertible("AllInOneBlock", subnet_constructor=subnet, permute_soft=True)


def case_all_in_one_householder():
    return invertible("AllInOneBlock", subnet_constructor=subnet, learned_householder_permutation=2)


def case_glow_coupling():
    return invertible("GLOWCouplingBlock", subnet_constructor=subnet)


def case_gin_coupling():
    return invertible("GINCouplingBlock", subnet_constructor=subnet)


def case_invertible_act_norm():
    return invertible("ActNorm")


def case_permute_random():
    return invertible("PermuteRandom", seed=1)


def case_fixed_linear():
    return invertible("FixedLinearTransform", M=torch.eye(4) * 2)


def case_orthogonal():
    return invertible("OrthogonalTransform")


def case_householder_perm():
    return invertible("HouseholderPerm", n_reflections=2)


def case_iresnet():
    return invertible("IResNetLayer", hutchinson_samples=1, jacobian_iterations=3)


def case_auto_act():
    return invertible("InvAutoAct")


def case_elementwise_scaling():
    return invertible("LearnedElementwiseScaling")


def case_graph_of_images():
    from FrEIA import framework, modules

    nodes = [framework.InputNode(1, 8, 8, name="in")]
    nodes.append(framework.Node(nodes[-1], modules.HaarDownsampling, {}))
    nodes.append(framework.Node(nodes[-1], modules.IRevNetDownsampling, {}))
    nodes.append(framework.Node(nodes[-1], modules.Flatten, {}))
    nodes.append(framework.Node(nodes[-1], modules.RNVPCouplingBlock, {"subnet_constructor": subnet}))
    nodes.append(framework.OutputNode(nodes[-1]))
    return framework.GraphINN(nodes), (torch.randn(2, 1, 8, 8),)
