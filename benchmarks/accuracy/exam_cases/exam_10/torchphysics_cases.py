"""Cases of torchphysics."""

from __future__ import annotations

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["torchphysics"]


def physics(name, **options):
    """A network of torchphysics and points of its space."""
    import torchphysics

    space, out = torchphysics.spaces.R2("x"), torchphysics.spaces.R1("u")
    points = torchphysics.spaces.Points(torch.rand(4, 2), space)
    return getattr(torchphysics.models, name)(space, out, **options), (points,)


def case_torchphysics_fcn():
    return physics("FCN", hidden=(8,))


def case_torchphysics_harmonic():
    return physics("Harmonic_FCN", max_frequenz=2, hidden=(8,))


def case_torchphysics_polynomial():
    return physics("Polynomial_FCN", polynomial_degree=2, hidden=(8,))


def case_torchphysics_ritz():
    return physics("DeepRitzNet", width=8, depth=1)


def case_torchphysics_qres():
    return physics("QRES", hidden=(8,))
