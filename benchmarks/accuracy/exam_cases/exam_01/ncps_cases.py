"""Cases of ncps."""

from __future__ import annotations

import torch

PACKAGES = ["ncps"]


def case_liquid():
    from ncps.torch import LTC

    return LTC(4, 8), (torch.randn(2, 5, 4),)


def case_liquid_of_wires():
    from ncps.torch import LTC
    from ncps.wirings import AutoNCP

    return LTC(4, AutoNCP(12, 2), mixed_memory=True), (torch.randn(2, 5, 4),)


def case_closed_form():
    from ncps.torch import CfC

    return CfC(4, 8, mode="no_gate"), (torch.randn(2, 5, 4),)


def case_closed_form_of_wires():
    from ncps.torch import CfC
    from ncps.wirings import AutoNCP

    return CfC(4, AutoNCP(12, 2)), (torch.randn(2, 5, 4),)
