"""Cases of voxceleb_trainer."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["voxceleb_trainer"]


def f(*shape):
    return torch.randn(*shape)


def tokens(high, *shape):
    return torch.randint(1, high, shape)


def speakers(name, *given, **named):
    inside("voxceleb_trainer")
    return importlib.import_module(f"loss.{name}").LossFunction(*given, **named)


def case_speakers_angleproto():
    return speakers("angleproto"), (f(4, 2, 16),)


def case_speakers_amsoftmax():
    return speakers("amsoftmax", nOut=16, nClasses=5), (f(4, 16), tokens(5, 4))


def case_speakers_aamsoftmax():
    return speakers("aamsoftmax", nOut=16, nClasses=5), (f(4, 16), tokens(5, 4))


def case_speakers_softmax():
    return speakers("softmax", nOut=16, nClasses=5), (f(4, 16), tokens(5, 4))


def case_speakers_proto():
    return speakers("proto"), (f(4, 2, 16),)


def case_speakers_ge2e():
    return speakers("ge2e"), (f(4, 3, 16),)


def case_speakers_triplet():
    return speakers("triplet", hard_rank=1, hard_prob=0.5, margin=0.1), (f(4, 2, 16),)


def case_speakers_softmaxproto():
    return speakers("softmaxproto", nOut=16, nClasses=5), (f(4, 2, 16), tokens(5, 4))


def speaker_net(name, **named):
    inside("voxceleb_trainer")
    model = importlib.import_module(f"models.{name}").MainModel(nOut=16, **named)
    model.torchfb = torch.nn.Sequential(torch.nn.Conv1d(1, 40, 400, 160))
    return model


def case_speakers_vgg():
    return speaker_net("VGGVox"), (f(2, 1, 16000),)


def case_speakers_resnet():
    return speaker_net("ResNetSE34L"), (f(2, 1, 16000),)


def case_speakers_resnet_asp():
    return speaker_net("ResNetSE34V2", encoder_type="ASP"), (f(2, 1, 16000),)


def case_speakers_block():
    inside("voxceleb_trainer")
    return importlib.import_module("models.RawNetBasicBlock").Bottle2neck(16, 32, 3, 2, 4, pool=2), (f(2, 16, 60),)
