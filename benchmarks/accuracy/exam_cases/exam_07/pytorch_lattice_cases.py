"""Cases of pytorch_lattice."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["pytorch_lattice"]


def case_lattice():
    from pytorch_lattice.layers import Lattice

    return Lattice([2, 3]), (torch.rand(4, 2),)


def case_lattice_of_simplices():
    from pytorch_lattice.enums import Interpolation
    from pytorch_lattice.layers import Lattice

    return Lattice([2, 3], interpolation=Interpolation.SIMPLEX), (torch.rand(4, 2),)


def case_numerical_calibrator():
    import numpy as np
    from pytorch_lattice.layers import NumericalCalibrator

    return NumericalCalibrator(np.linspace(0.0, 1.0, 5), missing_input_value=-1.0), (torch.rand(4, 1),)


def case_categorical_calibrator():
    from pytorch_lattice.layers import CategoricalCalibrator

    return CategoricalCalibrator(4, missing_input_value=-1.0), (torch.randint(0, 4, (4, 1)).double(),)


def case_random_lattices():
    from pytorch_lattice.layers import RTL

    return RTL([None, None, None], num_lattices=2, lattice_rank=2), (torch.rand(4, 3),)
