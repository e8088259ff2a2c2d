"""Cases of batchgeneratorsv2."""

from __future__ import annotations

import numpy as np
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_c"])


from audioseal.builder import create_detector, create_generator  # noqa: E402, F401
from batchgeneratorsv2.transforms.intensity.brightness import MultiplicativeBrightnessTransform  # noqa: E402
from batchgeneratorsv2.transforms.intensity.gamma import GammaTransform  # noqa: E402
from batchgeneratorsv2.transforms.intensity.gaussian_noise import GaussianNoiseTransform  # noqa: E402
from batchgeneratorsv2.transforms.noise.gaussian_blur import GaussianBlurTransform  # noqa: E402
from batchgeneratorsv2.transforms.spatial.low_resolution import SimulateLowResolutionTransform  # noqa: E402
from batchgeneratorsv2.transforms.spatial.mirroring import MirrorTransform  # noqa: E402
from batchgeneratorsv2.transforms.spatial.spatial import SpatialTransform  # noqa: E402

PACKAGES = ["batchgeneratorsv2"]


class Brighter(torch.nn.Module):
    """A volume, changed."""

    def __init__(self):
        super().__init__()
        self.transform = MultiplicativeBrightnessTransform((0.7, 1.3), False)

    def forward(self, image):
        return self.transform(image=image)


def case_batchgenerators_brightness():
    np.random.seed(0)
    return Brighter(), (torch.rand(2, 8, 8, 8),)


class Corrected(torch.nn.Module):
    """A volume, changed."""

    def __init__(self):
        super().__init__()
        self.transform = GammaTransform((0.7, 1.3), 0, False, 1.0, 1.0)

    def forward(self, image):
        return self.transform(image=image)


def case_batchgenerators_gamma():
    np.random.seed(0)
    return Corrected(), (torch.rand(2, 8, 8, 8),)


class Noisy(torch.nn.Module):
    """A volume, changed."""

    def __init__(self):
        super().__init__()
        self.transform = GaussianNoiseTransform((0, 0.1))

    def forward(self, image):
        return self.transform(image=image)


def case_batchgenerators_noise():
    np.random.seed(0)
    return Noisy(), (torch.rand(2, 8, 8, 8),)


class Blurred(torch.nn.Module):
    """A volume, changed."""

    def __init__(self):
        super().__init__()
        self.transform = GaussianBlurTransform((0.5, 1.0), False)

    def forward(self, image):
        return self.transform(image=image)


def case_batchgenerators_blur():
    np.random.seed(0)
    return Blurred(), (torch.rand(2, 8, 8, 8),)


class Coarse(torch.nn.Module):
    """A volume, changed."""

    def __init__(self):
        super().__init__()
        self.transform = SimulateLowResolutionTransform((0.5, 1.0), False, False, (), None)

    def forward(self, image):
        return self.transform(image=image)


def case_batchgenerators_resolution():
    np.random.seed(0)
    return Coarse(), (torch.rand(2, 8, 8, 8),)


class Mirrored(torch.nn.Module):
    """A volume, changed."""

    def __init__(self):
        super().__init__()
        self.transform = MirrorTransform((0, 1, 2))

    def forward(self, image):
        return self.transform(image=image)


def case_batchgenerators_mirror():
    np.random.seed(0)
    return Mirrored(), (torch.rand(2, 8, 8, 8),)


class Moved(torch.nn.Module):
    """A volume, changed."""

    def __init__(self):
        super().__init__()
        self.transform = SpatialTransform((8, 8, 8), 0, False, p_rotation=1, p_scaling=1, p_elastic_deform=0)

    def forward(self, image):
        return self.transform(image=image)


def case_batchgenerators_space():
    np.random.seed(0)
    return Moved(), (torch.rand(2, 8, 8, 8),)
