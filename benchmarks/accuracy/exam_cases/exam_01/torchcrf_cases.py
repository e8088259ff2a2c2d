"""Cases of torchcrf."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["torchcrf"]


def tagged():
    mask = torch.ones(2, 5, dtype=torch.bool)
    mask[1, 3:] = False
    return torch.randn(2, 5, 3), torch.randint(0, 3, (2, 5)), mask


def case_field():
    from torchcrf import CRF

    return CRF(3, batch_first=True), tagged()


def case_field_by_token():
    from torchcrf import CRF

    return CRF(3, batch_first=True), (*tagged(), "token_mean")


class Tagger(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        from torchcrf import CRF

        self.field = CRF(3, batch_first=True)

    def forward(self, x, mask):
        return self.field.decode(x, mask)


def case_decoded_field():
    x, _, mask = tagged()
    return Tagger(), (x, mask)
