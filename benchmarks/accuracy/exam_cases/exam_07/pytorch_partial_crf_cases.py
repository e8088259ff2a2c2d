"""Cases of pytorch_partial_crf."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["pytorch_partial_crf"]


def case_crf():
    from pytorch_partial_crf import CRF

    return CRF(4), (torch.randn(2, 5, 4), torch.randint(0, 4, (2, 5)))


def case_partial_crf():
    from pytorch_partial_crf import PartialCRF

    return PartialCRF(4), (torch.randn(2, 5, 4), torch.tensor([[0, 1, -1, 2, 3], [1, -1, 2, 2, 0]]))


def case_marginal_crf():
    from pytorch_partial_crf import MarginalCRF

    return MarginalCRF(4), (torch.randn(2, 5, 4), torch.rand(2, 5, 4))


class Tags(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        from pytorch_partial_crf import CRF

        self.crf = CRF(4)

    def forward(self, emissions):
        return self.crf.viterbi_decode(emissions)


def case_decoded_tags():
    return Tags(), (torch.randn(2, 5, 4),)
