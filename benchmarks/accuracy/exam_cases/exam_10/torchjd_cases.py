"""Cases of torchjd."""

from __future__ import annotations

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["torchjd"]


def aggregated(name, *options, **more):
    """An aggregator of torchjd, which is a module."""
    import torchjd.aggregation

    return getattr(torchjd.aggregation, name)(*options, **more), (torch.randn(3, 5),)


def case_torchjd_mean():
    return aggregated("Mean")


def case_torchjd_pcgrad():
    return aggregated("PCGrad")


def case_torchjd_mgda():
    return aggregated("MGDA", max_iters=3)


def case_torchjd_krum():
    model, _ = aggregated("Krum", 1, 1)
    return model, (torch.randn(4, 5),)


def case_torchjd_aligned():
    return aggregated("AlignedMTL")


def case_torchjd_config():
    return aggregated("ConFIG")


def case_torchjd_graddrop():
    return aggregated("GradDrop")


def case_torchjd_imtl():
    return aggregated("IMTLG")


def case_torchjd_random():
    return aggregated("Random")


def case_torchjd_trimmed():
    return aggregated("TrimmedMean", 1)


def case_torchjd_gradvac():
    return aggregated("GradVac")


def case_torchjd_fairgrad():
    return aggregated("FairGrad", 1.0)


def case_torchjd_excess():
    return aggregated("ExcessMTL")


def scalarized(name, *options, **more):
    """A scalarizer of torchjd."""
    import torchjd.scalarization

    return getattr(torchjd.scalarization, name)(*options, **more), (torch.rand(3) + 0.1,)


def case_torchjd_dwa():
    return scalarized("DWA")


def case_torchjd_famo():
    return scalarized("FAMO", 3)


def case_torchjd_geometric():
    return scalarized("GeometricMean")


def case_torchjd_stch():
    return scalarized("STCH", 0.1)


def case_torchjd_uw():
    return scalarized("UW", 3)
