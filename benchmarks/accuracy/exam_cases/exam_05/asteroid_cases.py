"""Cases of asteroid."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from asteroid import losses as separation
from asteroid.dsp import beamforming
from torch import nn

PACKAGES = ["asteroid"]


def wave(seconds: int = 1, sources: int = 0):
    shape = (2, sources, 4000 * seconds) if sources else (2, 4000 * seconds)
    return torch.randn(shape)


def case_asteroid_binarize():
    from asteroid.binarize import Binarize

    return Binarize(sample_rate=100), (torch.rand(2, 2, 200),)


def case_asteroid_scm():
    return beamforming.SCM(), (torch.randn(2, 3, 9, 20, dtype=torch.complex64), torch.rand(2, 9, 20))


def scms():
    a = torch.randn(2, 9, 3, 3, dtype=torch.complex64)
    a = a @ a.mH + 3 * torch.eye(3)
    return a.permute(0, 2, 3, 1)


def mix():
    return torch.randn(2, 3, 9, 20, dtype=torch.complex64)


def case_asteroid_mvdr():
    return beamforming.RTFMVDRBeamformer(), (mix(), scms(), scms())


def case_asteroid_souden():
    return beamforming.SoudenMVDRBeamformer(), (mix(), scms(), scms())


def case_asteroid_wiener():
    return beamforming.SDWMWFBeamformer(), (mix(), scms(), scms())


def case_asteroid_gev():
    return beamforming.GEVBeamformer(), (mix(), scms(), scms())


def case_asteroid_gevd():
    return beamforming.GEVDBeamformer(), (mix(), scms(), scms())


def case_asteroid_overlap_add():
    from asteroid.dsp.overlap_add import LambdaOverlapAdd

    class Half(nn.Module):
        def forward(self, x):
            return torch.stack([x, x], 1)[:, :, 0] if x.ndim == 3 else torch.stack([x, x], 1)

    return LambdaOverlapAdd(Half(), 2, 400), (torch.randn(1, 1, 2000),)


def case_asteroid_mixit():
    return (
        separation.MixITLossWrapper(separation.multisrc_mse),
        (torch.randn(2, 4, 100), torch.randn(2, 2, 100)),
    )


def case_asteroid_pit_matrix():
    return (
        separation.PITLossWrapper(separation.pairwise_neg_sisdr, pit_from="pw_mtx"),
        (torch.randn(2, 2, 100), torch.randn(2, 2, 100)),
    )


def case_asteroid_pit_point():
    return (
        separation.PITLossWrapper(separation.singlesrc_neg_sisdr, pit_from="pw_pt"),
        (torch.randn(2, 3, 100), torch.randn(2, 3, 100)),
        {"return_est": True},
    )


def case_asteroid_pit_permutation():
    return (
        separation.PITLossWrapper(separation.multisrc_neg_sisdr, pit_from="perm_avg"),
        (torch.randn(2, 2, 100), torch.randn(2, 2, 100)),
    )


def case_asteroid_sinkpit():
    return (
        separation.SinkPITLossWrapper(separation.pairwise_neg_sisdr, n_iter=3),
        (torch.randn(2, 2, 100), torch.randn(2, 2, 100)),
    )


def case_asteroid_multi_scale():
    loss = separation.SingleSrcMultiScaleSpectral(n_filters=[64, 32], windows_size=[64, 32], hops_size=[16, 8])
    return loss, (torch.randn(2, 400), torch.randn(2, 400))


def case_asteroid_pmsqe():
    return separation.SingleSrcPMSQE(), (torch.rand(2, 257, 10), torch.rand(2, 257, 10))


def case_asteroid_deep_clustering():
    class Loss(nn.Module):
        def forward(self, embedding, target):
            return separation.deep_clustering_loss(embedding, target)

    return Loss(), (torch.randn(2, 9 * 10, 4), torch.randint(0, 2, (2, 9, 10)))


def case_asteroid_conv_tasnet():
    from asteroid.models import ConvTasNet

    return ConvTasNet(2, n_blocks=2, n_repeats=1, bn_chan=8, hid_chan=8, skip_chan=8, n_filters=16), (wave(),)


def case_asteroid_dprnn():
    from asteroid.models import DPRNNTasNet

    return (
        DPRNNTasNet(2, bn_chan=8, hid_size=8, chunk_size=20, n_repeats=1, n_filters=16),
        (wave(),),
    )


def case_asteroid_dptnet():
    from asteroid.models import DPTNet

    return DPTNet(2, n_heads=2, ff_hid=8, chunk_size=20, n_repeats=1, n_filters=16), (wave(),)


def case_asteroid_sudormrf():
    from asteroid.models import SuDORMRFNet

    return SuDORMRFNet(2, bn_chan=8, num_blocks=1, upsampling_depth=2, n_filters=16), (wave(),)


def case_asteroid_lstm_tasnet():
    from asteroid.models import LSTMTasNet

    return LSTMTasNet(2, n_layers=1, hid_size=8, n_filters=16), (wave(),)


def case_asteroid_fasnet():
    from asteroid.models import FasNetTAC

    return (
        FasNetTAC(2, enc_dim=8, feature_dim=8, hidden_dim=8, n_layers=1, tac_hidden_dim=8, sample_rate=4000),
        (torch.randn(1, 2, 2000), torch.tensor([2])),
    )


def case_asteroid_dccrnet():
    from asteroid.models import DCCRNet

    return DCCRNet("mini"), (torch.randn(1, 4000),)


def case_asteroid_xumx():
    from asteroid.models import XUMX

    return (
        XUMX(["bass", "drums"], window_length=64, in_chan=64, n_hop=16, hidden_size=8, nb_layers=1),
        (torch.randn(1, 2, 1000),),
    )


def case_asteroid_tac():
    from asteroid.masknn.tac import TAC

    return TAC(4, 8), (torch.randn(2, 3, 4, 5, 6), torch.tensor([2, 3]))
