"""rosinality/vq-vae-2-pytorch: quantised codes and their training."""

from types import SimpleNamespace

import torch
from exam_surroundings import absent, inside

absent("torchvision", "lmdb")
inside("vq-vae-2-pytorch")

import train_vqvae
from pixelsnail import PixelSNAIL
from sample import sample_model
from scheduler import CycleScheduler
from vqvae import VQVAE, Quantize

PACKAGES = ["vq-vae-2-pytorch"]
train_vqvae.utils = SimpleNamespace(save_image=lambda *given, **named: None)


def vqvae():
    return VQVAE(channel=8, n_res_block=1, n_res_channel=4, embed_dim=4, n_embed=8)


def snail():
    return PixelSNAIL([2, 2], 6, 16, 3, 1, 1, 16)


def case_quantize():
    return torch.compile(Quantize(4, 8)), (torch.rand(2, 3, 3, 4),)


def case_model():
    return torch.compile(vqvae()), (torch.rand(1, 3, 16, 16),)


def case_decode():
    model = vqvae()
    return torch.compile(model.decode_code), (torch.zeros(1, 2, 2).long(), torch.zeros(1, 4, 4).long())


def case_train():
    model = vqvae()
    optimizer = torch.optim.Adam(model.parameters())
    loader = [(torch.rand(1, 3, 16, 16), torch.zeros(1))]
    return torch.compile(train_vqvae.train), (0, loader, model, optimizer, None, "cpu")


def case_snail():
    return torch.compile(snail()), (torch.randint(0, 6, (1, 2, 2)),)


def case_sample():
    sample = torch.compile(sample_model)
    return sample, (snail().eval(), "cpu", 1, [2, 2], 1.0)


def case_scheduler():
    optimizer = torch.optim.SGD([torch.rand(2)], lr=0.1, momentum=0.9)
    scheduler = CycleScheduler(optimizer, 0.1, 10)
    return torch.compile(scheduler.step), ()
