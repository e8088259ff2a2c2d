"""Cases of pyiqa."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_08_a"])


PACKAGES = ["pyiqa"]


def of(path: str, *inputs, **options):
    """A class by its path, made with `options`, and its inputs."""
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**options), inputs


def pictures(path: str, channels=3, size=64, pair=True, **options):
    inputs = (torch.rand(1, channels, size, size), torch.rand(1, channels, size, size))
    return of(f"pyiqa.archs.{path}", *inputs[: 1 + pair], **options)


def case_pyiqa_gmsd():
    return pictures("gmsd_arch.GMSD")


def case_pyiqa_fsim():
    return pictures("fsim_arch.FSIM")


def case_pyiqa_mad():
    return pictures("mad_arch.MAD")


def case_pyiqa_nlpd():
    return pictures("nlpd_arch.NLPD")


def case_pyiqa_entropy():
    return pictures("entropy_arch.Entropy", pair=False)


def case_pyiqa_vif():
    return pictures("vif_arch.VIF")


def case_pyiqa_vsi():
    return pictures("vsi_arch.VSI")


def case_pyiqa_ssim():
    return pictures("ssim_arch.SSIM", downsample=True)


def case_pyiqa_ms_ssim():
    return pictures("ssim_arch.MS_SSIM", size=192)


def case_pyiqa_psnr():
    return pictures("psnr_arch.PSNR")
