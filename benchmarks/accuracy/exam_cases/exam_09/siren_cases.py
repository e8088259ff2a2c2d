"""Cases of siren."""

from __future__ import annotations

import sys

import kornia.filters
import kornia.utils
import torch
from exam_surroundings import ABSENT, absent, inside
from scipy.spatial.transform import Rotation

PACKAGES = ["siren"]


kornia.filters.filter2D = kornia.filters.filter2d  # its name when GIRAFFE was written


Rotation.as_dcm = Rotation.as_matrix  # likewise


sys.modules["kornia.utils.grid"] = kornia.utils  # where LoFTR looks for a function of it


absent(*ABSENT["exam_09_b"])


def case_siren():
    inside("siren")
    from modules import SingleBVPNet

    return SingleBVPNet(1, "sine", 2, hidden_features=16, num_hidden_layers=2), ({"coords": torch.rand(1, 20, 2)},)


def case_siren_radial():
    inside("siren")
    from modules import SingleBVPNet

    model = SingleBVPNet(1, "relu", 2, mode="rbf", hidden_features=16, num_hidden_layers=2, rbf_centers=8)
    return model, ({"coords": torch.rand(1, 20, 2)},)


def case_siren_nerf():
    inside("siren")
    from modules import SingleBVPNet

    model = SingleBVPNet(1, "relu", 3, mode="nerf", hidden_features=16, num_hidden_layers=2)
    return model, ({"coords": torch.rand(1, 20, 3)},)


def case_siren_physics():
    inside("siren")
    from modules import PINNet

    return PINNet(1, "tanh", 3), ({"coords": torch.rand(1, 20, 3)},)


def case_siren_hypernetwork():
    inside("siren")
    from meta_modules import NeuralProcessImplicit2DHypernet

    model = NeuralProcessImplicit2DHypernet(5, 3, image_resolution=(8, 8))
    data = {"coords": torch.rand(1, 16, 2), "img_sub": torch.rand(1, 16, 3), "coords_sub": torch.rand(1, 16, 2)}
    return model, (data,)


def case_siren_hypernetwork_of_images():
    inside("siren")
    from meta_modules import ConvolutionalNeuralProcessImplicit2DHypernet

    model = ConvolutionalNeuralProcessImplicit2DHypernet(3, 3, image_resolution=(32, 32))
    return model, ({"coords": torch.rand(1, 16, 2), "img_sparse": torch.rand(1, 3, 32, 32)},)


def case_siren_differential_operators():
    inside("siren")
    import diff_operators
    from modules import SingleBVPNet

    class Energy(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = SingleBVPNet(1, "sine", 2, hidden_features=16, num_hidden_layers=1)

        def forward(self, coords):
            found = self.net({"coords": coords})
            x, y = found["model_in"], found["model_out"]
            return diff_operators.gradient(y, x).sum() + diff_operators.laplace(y, x).sum()

    return Energy(), (torch.rand(1, 10, 2),)


def case_siren_losses():
    inside("siren")
    import loss_functions
    from modules import SingleBVPNet

    class Distance(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = SingleBVPNet(1, "sine", 3, hidden_features=16, num_hidden_layers=1)

        def forward(self, coords, gt):
            return loss_functions.sdf(self.net({"coords": coords}), gt)

    return Distance(), (torch.rand(1, 10, 3), {"sdf": torch.rand(1, 10, 1), "normals": torch.rand(1, 10, 3)})
