"""Cases of edm."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_a"])


PACKAGES = ["edm"]


def edm(name, **options):
    """A preconditioned network of edm."""
    inside("edm")
    module = importlib.import_module("training.networks")
    small = {"model_channels": 16, "channel_mult": [1, 2], "num_blocks": 1, "attn_resolutions": [8]}
    return (
        getattr(module, name)(16, 3, **small, **options),
        (torch.randn(2, 3, 16, 16), torch.tensor([1.0, 2.0])),
    )


def case_edm_edm():
    return edm("EDMPrecond", model_type="DhariwalUNet")


def case_edm_vp():
    return edm("VPPrecond", model_type="SongUNet")


def case_edm_ve():
    return edm("VEPrecond", model_type="SongUNet", label_dim=3)


def case_edm_iddpm():
    return edm("iDDPMPrecond", model_type="DhariwalUNet")
