"""Cases of spikingjelly."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["spikingjelly"]


def neurons(name: str, steps: str = "m", **options):
    from spikingjelly.activation_based import neuron

    return getattr(neuron, name)(step_mode=steps, **options), (torch.rand(4, 2, 3) * 2,)


def case_lif():
    return neurons("LIFNode")


def case_if_single():
    return neurons("IFNode", "s", v_reset=None)


def case_plif():
    return neurons("ParametricLIFNode")


def case_gated_lif():
    return neurons("GatedLIFNode", T=4)


def case_klif():
    return neurons("KLIFNode")


def case_izhikevich():
    return neurons("IzhikevichNode")


def case_psn():
    from spikingjelly.activation_based import neuron

    return neuron.PSN(T=4), (torch.rand(4, 2, 3) * 2,)


def case_complementary_lif():
    return neurons("ComplementaryLIFNode")


def case_linear_recurrent_container():
    from spikingjelly.activation_based import layer, neuron

    return layer.LinearRecurrentContainer(neuron.IFNode(), 3, 3, step_mode="m"), (torch.rand(4, 2, 3),)


def case_temporal_batch_norm():
    from spikingjelly.activation_based import layer

    return layer.ThresholdDependentBatchNorm2d(1.0, 1.0, 3), (torch.rand(4, 2, 3, 4, 4),)


def case_spiking_dropout():
    from spikingjelly.activation_based import layer

    return layer.Dropout(0.5, step_mode="m"), (torch.rand(4, 2, 3),)


def case_spiking_network():
    from spikingjelly.activation_based import functional, layer, neuron

    model = nn.Sequential(layer.Linear(3, 4), neuron.LIFNode(), layer.Linear(4, 2))
    functional.set_step_mode(model, "m")
    return model, (torch.rand(4, 2, 3),)


def case_poisson_encoder():
    from spikingjelly.activation_based.encoding import PoissonEncoder

    return PoissonEncoder(), (torch.rand(2, 3),)


def case_latency_encoder():
    from spikingjelly.activation_based.encoding import LatencyEncoder

    return LatencyEncoder(4), (torch.rand(2, 3),)


def case_spiking_lstm():
    from spikingjelly.activation_based.rnn import SpikingLSTM

    return SpikingLSTM(3, 4, 1), (torch.rand(4, 2, 3),)
