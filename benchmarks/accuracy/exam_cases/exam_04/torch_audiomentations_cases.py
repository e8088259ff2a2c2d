"""Cases of torch_audiomentations."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["torch_audiomentations"]


def augmented(name: str, **options):
    import torch_audiomentations

    transform = getattr(torch_audiomentations, name)(p=0.5, output_type="dict", **options)
    return transform, (torch.rand(2, 1, 1600) - 0.5,), {"sample_rate": 1600}


def case_gain():
    return augmented("Gain")


def case_polarity():
    return augmented("PolarityInversion")


def case_peak_normalization():
    return augmented("PeakNormalization")


def case_low_pass():
    return augmented("LowPassFilter", min_cutoff_freq=100, max_cutoff_freq=300)


def case_band_stop():
    return augmented("BandStopFilter", min_center_frequency=200, max_center_frequency=300)


def case_colored_noise():
    return augmented("AddColoredNoise")


def case_shift():
    return augmented("Shift")


def case_time_inversion():
    return augmented("TimeInversion")


def case_shuffle_channels():
    import torch_audiomentations

    shuffled = torch_audiomentations.ShuffleChannels(p=1.0, output_type="dict")
    return shuffled, (torch.rand(2, 2, 160),), {"sample_rate": 1600}


def case_spliced():
    return augmented("SpliceOut", num_time_intervals=2, max_width=100)


def case_composed():
    import torch_audiomentations as library

    steps = [library.Gain(p=0.5, output_type="dict"), library.PolarityInversion(p=0.5, output_type="dict")]
    return library.Compose(steps, output_type="dict"), (torch.rand(2, 1, 160),), {"sample_rate": 1600}


def case_some_of():
    import torch_audiomentations as library

    steps = [library.Gain(p=0.5, output_type="dict"), library.PolarityInversion(p=0.5, output_type="dict")]
    return library.SomeOf(1, steps, output_type="dict"), (torch.rand(2, 1, 160),), {"sample_rate": 1600}
