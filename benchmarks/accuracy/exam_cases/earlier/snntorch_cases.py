"""Cases of snntorch."""

from __future__ import annotations

import torch

PACKAGES = ["snntorch"]


def case_leaky():
    import snntorch

    return snntorch.Leaky(beta=0.9), (torch.rand(4, 3),)


def case_leaky_hidden():
    import snntorch

    return snntorch.Leaky(beta=0.9, init_hidden=True, learn_beta=True, inhibition=True), (torch.rand(4, 3),)


def case_leaky_zero():
    import snntorch

    return snntorch.Leaky(beta=0.9, reset_mechanism="zero", reset_delay=False), (torch.rand(4, 3), torch.rand(4, 3))


def case_synaptic():
    import snntorch

    return snntorch.Synaptic(alpha=0.8, beta=0.9), (torch.rand(4, 3),)


def case_alpha():
    import snntorch

    return snntorch.Alpha(alpha=0.8, beta=0.7), (torch.rand(4, 3),)


def case_lapicque():
    import snntorch

    return snntorch.Lapicque(beta=0.9), (torch.rand(4, 3),)


def case_rleaky():
    import snntorch

    return snntorch.RLeaky(beta=0.9, linear_features=3), (torch.rand(4, 3), torch.rand(4, 3), torch.rand(4, 3))


def case_slstm():
    import snntorch

    return snntorch.SLSTM(3, 5), (torch.rand(4, 3),)


def case_sconv_lstm():
    import snntorch

    return snntorch.SConv2dLSTM(1, 2, 3, max_pool=2), (torch.rand(4, 1, 8, 8),)
