"""Cases of asteroid_filterbanks."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["asteroid_filterbanks"]


def filters(name: str, **options):
    import asteroid_filterbanks as banks

    return banks.Encoder(getattr(banks, name)(**options)), (torch.randn(2, 1, 128),)


def case_learned_filters():
    return filters("FreeFB", n_filters=8, kernel_size=16)


def case_analytic_filters():
    return filters("AnalyticFreeFB", n_filters=8, kernel_size=16)


def case_sinc_filters():
    return filters("ParamSincFB", n_filters=8, kernel_size=17)


def case_fourier_filters():
    return filters("STFTFB", n_filters=16, kernel_size=16)


def case_decoded_filters():
    import asteroid_filterbanks as banks

    return banks.Decoder(banks.FreeFB(8, 16)), (torch.randn(2, 8, 15),)
