"""Cases of positional_encodings."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["positional_encodings"]


def case_positions():
    from positional_encodings.torch_encodings import PositionalEncoding2D, Summer

    return Summer(PositionalEncoding2D(4)), (torch.randn(1, 3, 3, 4),)


def case_positions_of_volumes():
    from positional_encodings.torch_encodings import PositionalEncodingPermute3D

    return PositionalEncodingPermute3D(4), (torch.randn(1, 4, 2, 2, 2),)
