"""Cases of DCRNN_PyTorch."""

from __future__ import annotations

import sys
from unittest.mock import MagicMock

import numpy as np
import torch
from exam_surroundings import inside

PACKAGES = ["DCRNN_PyTorch"]


def traffic(**options):
    """A model of DCRNN on a graph of ten sensors."""
    inside("DCRNN_PyTorch")
    import logging

    sys.modules["tensorflow"] = MagicMock()  # its tools for data are of both libraries
    from model.pytorch.dcrnn_model import DCRNNModel

    del sys.modules["tensorflow"]

    given = {
        "num_nodes": 10,
        "num_rnn_layers": 2,
        "rnn_units": 8,
        "max_diffusion_step": 2,
        "input_dim": 2,
        "output_dim": 1,
        "seq_len": 6,
        "horizon": 6,
        "cl_decay_steps": 1000,
        "use_curriculum_learning": False,
        "filter_type": "laplacian",
        **options,
    }
    model = DCRNNModel(np.random.default_rng(0).random((10, 10)).astype("float32"), logging.getLogger("dcrnn"), **given)
    inputs, labels = torch.randn(6, 4, 20), torch.randn(6, 4, 10)
    model(inputs, labels, 1)  # its layers are made by the first call, as its supervisor makes them
    return model, (inputs, labels, 1)


def case_dcrnn():
    return traffic()


def case_dcrnn_curriculum():
    return traffic(use_curriculum_learning=True, filter_type="dual_random_walk")
