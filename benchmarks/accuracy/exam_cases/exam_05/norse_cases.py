"""Cases of norse."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["norse"]


def norse_cell(name: str, *sizes: int, inputs: int = 4):
    import norse.torch as snn

    return getattr(snn, name)(*sizes), (torch.rand(2, inputs),)


def case_norse_lif_cell():
    return norse_cell("LIFCell")


def case_norse_lif_recurrent():
    return norse_cell("LIFRecurrentCell", 4, 5)


def case_norse_lsnn():
    return norse_cell("LSNNRecurrentCell", 4, 5)


def case_norse_izhikevich():
    import norse.torch as snn
    from norse.torch.functional.izhikevich import tonic_spiking

    return snn.IzhikevichCell(tonic_spiking), (torch.rand(2, 4),)


def case_norse_lif_sequence():
    import norse.torch as snn

    return snn.LIF(), (torch.rand(6, 2, 4),)


def case_norse_adex():
    return norse_cell("LIFAdExCell")


def case_norse_refractory():
    return norse_cell("LIFRefracCell")


def case_norse_correlation():
    from norse.torch.module.lif_correlation import LIFCorrelation

    return LIFCorrelation(4, 5), (torch.rand(2, 4), torch.rand(5, 4), torch.rand(5, 5), None)


def case_norse_multi_compartment():
    from norse.torch.module.lif_mc import LIFMCRecurrentCell

    return LIFMCRecurrentCell(4, 5), (torch.rand(2, 4),)


def case_norse_coba():
    from norse.torch.module.coba_lif import CobaLIFCell

    return CobaLIFCell(4, 5), (torch.rand(2, 4),)


def case_norse_sequential():
    import norse.torch as snn

    return snn.SequentialState(nn.Linear(4, 5), snn.LIFCell(), nn.Linear(5, 2), snn.LICell()), (torch.rand(2, 4),)


def case_norse_poisson():
    from norse.torch.module.encode import PoissonEncoder

    return PoissonEncoder(6), (torch.rand(2, 4),)


def case_norse_latency():
    from norse.torch.module.encode import SpikeLatencyLIFEncoder

    return SpikeLatencyLIFEncoder(6), (torch.rand(2, 4),)


def case_norse_constant():
    from norse.torch.module.encode import ConstantCurrentLIFEncoder

    return ConstantCurrentLIFEncoder(6), (torch.rand(2, 4),)


def case_norse_population():
    from norse.torch.module.encode import PopulationEncoder

    return PopulationEncoder(4), (torch.rand(2, 3),)


def case_norse_decoder():
    from norse.torch.module.spikes_to_times_decoder import SpikesToTimesDecoder

    return SpikesToTimesDecoder(), ((torch.rand(6, 2, 3) > 0.5).float(),)


def case_norse_receptive():
    from norse.torch.module.receptive_field import SampledSpatialReceptiveField2d

    return (
        SampledSpatialReceptiveField2d(1, 5, torch.tensor([1.0]), torch.tensor([0.0]), torch.tensor([1.0]), [(0, 0)]),
        (torch.rand(1, 1, 8, 8),),
    )


def case_norse_regularization():
    from norse.torch.module.regularization import RegularizationCell

    return RegularizationCell(), (torch.rand(2, 4), None)
