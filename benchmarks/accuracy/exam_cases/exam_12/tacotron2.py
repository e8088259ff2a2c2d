"""NVIDIA/tacotron2: speech from text, its loss and its batches."""

from types import SimpleNamespace

import torch
from exam_surroundings import absent, inside

absent("tensorflow", "scipy", "librosa", "unidecode", "inflect", "matplotlib")
inside("tacotron2")

import model as tacotron
from loss_function import Tacotron2Loss
from model import Postnet, Prenet, Tacotron2

torch.cuda.LongTensor = torch.LongTensor

PACKAGES = ["tacotron2"]


def options():
    return SimpleNamespace(
        mask_padding=True, fp16_run=False, n_mel_channels=6, n_frames_per_step=1, n_symbols=10,
        symbols_embedding_dim=8, encoder_kernel_size=5, encoder_n_convolutions=1, encoder_embedding_dim=8,
        decoder_rnn_dim=8, prenet_dim=4, max_decoder_steps=3, gate_threshold=0.5, p_attention_dropout=0.1,
        p_decoder_dropout=0.1, attention_rnn_dim=8, attention_dim=4, attention_location_n_filters=2,
        attention_location_kernel_size=3, postnet_embedding_dim=8, postnet_kernel_size=5, postnet_n_convolutions=2,
    )  # fmt: skip


def batch():
    lengths, frames = torch.tensor([4, 3]), torch.tensor([5, 4])
    return torch.randint(0, 10, (2, 4)), lengths, torch.rand(2, 6, 5), torch.zeros(2, 5), frames


def case_model():
    model = Tacotron2(options())
    inputs, _ = model.parse_batch(batch())
    return torch.compile(model), (inputs,)


def case_batch():
    model = Tacotron2(options())
    return torch.compile(model.parse_batch), (batch(),)


def case_inference():
    model = Tacotron2(options())
    return torch.compile(model.inference), (torch.randint(0, 10, (1, 4)),)


def case_loss():
    outputs = (torch.rand(2, 6, 5), torch.rand(2, 6, 5), torch.rand(2, 5), None)
    return torch.compile(Tacotron2Loss()), (outputs, (torch.rand(2, 6, 5), torch.rand(2, 5)))


def case_mask():
    return torch.compile(tacotron.get_mask_from_lengths), (torch.tensor([3, 2]),)


def case_prenet():
    return torch.compile(Prenet(6, [4, 4])), (torch.rand(2, 6),)


def case_postnet():
    return torch.compile(Postnet(options())), (torch.rand(2, 6, 5),)


def case_decode():
    model = Tacotron2(options())
    model.decoder.initialize_decoder_states(torch.rand(2, 4, 8), None)
    return torch.compile(model.decoder.decode), (torch.rand(2, 4),)
