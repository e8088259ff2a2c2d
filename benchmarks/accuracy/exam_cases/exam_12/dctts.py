"""Yangyangii/DeepConvolutionalTTS-pytorch: text to mel, an epoch of evaluation."""

import torch
from exam_surroundings import absent, inside

absent("librosa", "scipy", "matplotlib", "pandas", "tensorboardX", "unidecode", "inflect")
inside("DeepConvolutionalTTS-pytorch")

import train as training
from config import ConfigArgs
from model import SSRN, Text2Mel

PACKAGES = ["DeepConvolutionalTTS-pytorch"]
ConfigArgs.Ce = ConfigArgs.Cx = ConfigArgs.Cy = 8
ConfigArgs.Cs, ConfigArgs.n_mels, ConfigArgs.n_mags = 8, 6, 10
training.DEVICE = "cpu"


class Writer:
    """Takes what is written."""

    def __getattr__(self, name):
        return lambda *given: None


def case_text_to_mel():
    return torch.compile(Text2Mel()), (torch.randint(1, 10, (2, 5)), torch.rand(2, 7, 6))


def case_ssrn():
    return torch.compile(SSRN()), (torch.rand(1, 4, 6),)


def case_evaluate():
    model = SSRN()
    loader = [(torch.zeros(1, 3), torch.rand(1, 4, 6), torch.rand(1, 16, 10))]
    evaluate = torch.compile(training.evaluate)
    return evaluate, (model, loader, torch.nn.L1Loss(), Writer(), 1)


def case_step():
    model = Text2Mel()
    optimizer = torch.optim.Adam(model.parameters())
    absolute, divergence = torch.nn.L1Loss(), torch.nn.BCELoss()

    @torch.compile
    def step(texts, mels):
        optimizer.zero_grad()
        before = torch.cat((torch.zeros(2, 1, 6), mels[:, :-1, :]), 1)
        mels_hat, _ = model(texts, before)
        loss = absolute(mels_hat, mels) + divergence(mels_hat, mels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.item()

    return step, (torch.randint(1, 10, (2, 5)), torch.rand(2, 7, 6))
