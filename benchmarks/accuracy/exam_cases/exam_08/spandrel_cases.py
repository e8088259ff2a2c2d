"""Cases of spandrel."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_08_a"])


PACKAGES = ["spandrel"]


def of(path: str, *inputs, **options):
    """A class by its path, made with `options`, and its inputs."""
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**options), inputs


def restored(path: str, *, size=16, channels=3, **options):
    return of(f"spandrel.architectures.{path}", torch.rand(1, channels, size, size), **options)


def case_spandrel_atd():
    options = {"embed_dim": 12, "depths": (1, 1), "num_heads": (2, 2), "window_size": 4, "category_size": 8}
    more = {"num_tokens": 4, "reducted_dim": 2, "upscale": 2, "upsampler": "pixelshuffledirect"}
    return restored("ATD.ATD", **options, **more, img_size=16)


def case_spandrel_craft():
    options = {"embed_dim": 12, "depths": [1], "num_heads": [2], "split_size_0": 4, "split_size_1": 4}
    return restored("CRAFT.CRAFT", **options, window_size=4, upscale=2)


def case_spandrel_grl():
    options = {"embed_dim": 12, "depths": [1], "num_heads_window": [2], "num_heads_stripe": [2], "window_size": 4}
    return restored("GRL.GRL", **options, img_size=16, stripe_size=[4, 4], upscale=2, anchor_window_down_factor=2)


def case_spandrel_lama():
    from spandrel.architectures.LaMa import LaMa

    return LaMa(in_nc=4, out_nc=3), (torch.rand(1, 3, 32, 32), torch.rand(1, 1, 32, 32).round())


def case_spandrel_omni():
    return restored("OmniSR.OmniSR", num_feat=12, res_num=1, block_num=1, window_size=4, up_scale=2)


def case_spandrel_real_plksr():
    return restored("PLKSR.RealPLKSR", dim=8, n_blocks=1, kernel_size=5, upscaling_factor=2, dysample=True)


def case_spandrel_rgt():
    options = {"embed_dim": 12, "depth": [2], "num_heads": [2], "img_size": 16, "split_size": [4, 4], "upscale": 2}
    return restored("RGT.RGT", **options)


def case_spandrel_cugan():
    return restored("RealCUGAN.UpCunet2x", size=64, in_channels=3, out_channels=3)
