"""Cases of d3rlpy."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["d3rlpy"]


def case_d3rlpy_q():
    from d3rlpy.models.torch.encoders import VectorEncoderWithAction
    from d3rlpy.models.torch.q_functions.mean_q_function import (
        ContinuousMeanQFunction,
        ContinuousMeanQFunctionForwarder,
    )

    encoder = VectorEncoderWithAction((3,), 2, [8])
    function = ContinuousMeanQFunction(encoder, 8)
    forwarder = ContinuousMeanQFunctionForwarder(function)

    class Error(nn.Module):
        def __init__(self):
            super().__init__()
            self.function = function

        def forward(self, x, a, r, t, d):
            return forwarder.compute_error(x, a, r, t, d, 0.9)

    return Error(), (torch.rand(4, 3), torch.rand(4, 2), torch.rand(4, 1), torch.rand(4, 1), torch.zeros(4, 1))


def case_d3rlpy_policy():
    from d3rlpy.models.torch.encoders import VectorEncoder
    from d3rlpy.models.torch.policies import NormalPolicy, build_squashed_gaussian_distribution

    class Act(nn.Module):
        def __init__(self):
            super().__init__()
            self.policy = NormalPolicy(
                VectorEncoder((3,), [8]), 8, 2, min_logstd=-4.0, max_logstd=2.0, use_std_parameter=False
            )

        def forward(self, x):
            dist = build_squashed_gaussian_distribution(self.policy(x))
            action, log_prob = dist.sample_with_log_prob()
            return action, log_prob

    return Act(), (torch.rand(4, 3),)


def case_d3rlpy_qr():
    from d3rlpy.models.torch.encoders import VectorEncoder
    from d3rlpy.models.torch.q_functions.qr_q_function import DiscreteQRQFunction

    return DiscreteQRQFunction(VectorEncoder((3,), [8]), 8, 2, 5), (torch.rand(4, 3),)


def case_d3rlpy_iqn():
    from d3rlpy.models.torch.encoders import VectorEncoder
    from d3rlpy.models.torch.q_functions.iqn_q_function import DiscreteIQNQFunction

    return DiscreteIQNQFunction(VectorEncoder((3,), [8]), 8, 2, 4, 4, 8), (torch.rand(4, 3),)


def case_d3rlpy_vae():
    from d3rlpy.models.torch.encoders import VectorEncoderWithAction
    from d3rlpy.models.torch.imitators import VAEDecoder, VAEEncoder, compute_vae_error

    class Vae(nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder = VAEEncoder(VectorEncoderWithAction((3,), 2, [8]), 8, 4)
            self.decoder = VAEDecoder(VectorEncoderWithAction((3,), 4, [8]), 8, 2)

        def forward(self, x, a):
            return compute_vae_error(self.encoder, self.decoder, x, a, 0.5)

    return Vae(), (torch.rand(4, 3), torch.rand(4, 2))
