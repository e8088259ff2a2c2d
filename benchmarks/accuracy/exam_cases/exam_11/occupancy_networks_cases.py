"""Cases of occupancy_networks."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["occupancy_networks"]


def f(*shape):
    return torch.randn(*shape)


def occupancy(module, name, *given, **named):
    inside("occupancy_networks")
    return getattr(importlib.import_module(f"im2mesh.{module}"), name)(*given, **named)


def case_occupancy_pointnet():
    return occupancy("encoder.pointnet", "ResnetPointnet", 16, 3, 16), (f(2, 20, 3),)


def case_occupancy_simple():
    return occupancy("encoder.pointnet", "SimplePointnet", 16, 3, 16), (f(2, 20, 3),)


def case_occupancy_r2n2():
    return occupancy("encoder.r2n2", "SimpleConv", 16), (f(1, 3, 127, 127),)


def case_occupancy_voxels():
    return occupancy("encoder.voxels", "CoordVoxelEncoder", 3, 16), (f(1, 32, 32, 32),)


def case_occupancy_psgn():
    return occupancy("encoder.psgn_cond", "PCGN_Cond", 16), (f(1, 3, 192, 256),)


def case_occupancy_net():
    inside("occupancy_networks")
    onet = importlib.import_module("im2mesh.onet.models")
    model = onet.OccupancyNetwork(
        onet.decoder.DecoderCBatchNorm(3, 8, 16, 16),
        occupancy("encoder.pointnet", "ResnetPointnet", 16, 3, 16),
        onet.encoder_latent.Encoder(8, 16),
        torch.distributions.Normal(torch.zeros(8), torch.ones(8)),
    )
    return model, (f(2, 6, 3), f(2, 20, 3))


class Elbo(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, p, occ, inputs):
        return self.model.compute_elbo(p, occ, inputs)


def case_occupancy_elbo():
    model, (p, inputs) = case_occupancy_net()
    return Elbo(model), (p, torch.ones(2, 6), inputs)


def case_occupancy_decoder2():
    return occupancy("onet.models.decoder", "DecoderCBatchNorm2", 3, 4, 8, 16), (f(2, 6, 3), f(2, 4), f(2, 8))


def case_occupancy_legacy():
    return occupancy("onet.models.legacy", "VoxelDecoder", 3, 4, 8, 16), (torch.rand(2, 6, 3) - 0.5, f(2, 4), f(2, 8))


def case_occupancy_projection():
    fm = (f(2, 4, 56, 56), f(2, 4, 28, 28), f(2, 4, 14, 14), f(2, 4, 7, 7))
    return occupancy("pix2mesh.layers", "GraphProjection"), (torch.rand(2, 6, 3), fm, f(2, 3, 4))


def case_occupancy_convolution():
    return occupancy("pix2mesh.layers", "GraphConvolution", [torch.eye(6), torch.eye(6)], 4, 5), (f(2, 6, 4),)


def case_occupancy_unpooling():
    return occupancy("pix2mesh.layers", "GraphUnpooling", torch.tensor([[0, 1], [2, 3]])), (f(2, 6, 3),)
