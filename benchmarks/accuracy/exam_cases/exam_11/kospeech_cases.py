"""Cases of kospeech."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["kospeech"]


def f(*shape):
    return torch.randn(*shape)


def tokens(high, *shape):
    return torch.randint(1, high, shape)


def ko(module, name, *given, **named):
    inside("kospeech")
    return getattr(importlib.import_module(f"kospeech.{module}"), name)(*given, **named)


LENGTHS = torch.tensor([40, 32])


def case_ko_las():
    model = ko("models", "ListenAttendSpell", 40, 12, 16, 32, 1, 1, attn_mechanism="loc", max_length=6)
    return model, (f(2, 40, 40), LENGTHS, tokens(12, 2, 6))


def case_ko_las_dot():
    model = ko("models", "ListenAttendSpell", 40, 12, 16, 32, 1, 1, attn_mechanism="scaled-dot", max_length=6,
               joint_ctc_attention=True)  # fmt: skip
    return model, (f(2, 40, 40), LENGTHS, tokens(12, 2, 6))


def case_ko_transformer():
    model = ko("models", "SpeechTransformer", 40, 12, "conv2d_subsample", 1, 1, d_model=16, d_ff=16, num_heads=2)
    return model, (f(2, 40, 40), LENGTHS, tokens(12, 2, 6), torch.tensor([6, 5]))


def case_ko_transformer_vgg():
    model = ko("models", "SpeechTransformer", 40, 12, "vgg", 1, 1, d_model=16, d_ff=16, num_heads=2)
    return model, (f(2, 40, 40), LENGTHS, tokens(12, 2, 6), torch.tensor([6, 5]))


def case_ko_deepspeech():
    model = ko("models", "DeepSpeech2", 40, 12, "gru", 2, 16, device="cpu")
    return model, (f(2, 40, 40), LENGTHS)


def case_ko_conformer():
    model = ko("models", "Conformer", 12, 40, 16, 16, 1, device="cpu", num_attention_heads=2)
    return model, (f(2, 40, 40), LENGTHS, tokens(12, 2, 6), torch.tensor([6, 5]))


def case_ko_rnnt():
    model = ko("models", "RNNTransducer", 12, 40, 1, 1, 16, 16, 16)
    return model, (f(2, 40, 40), LENGTHS, tokens(12, 2, 6), torch.tensor([6, 5]))


def case_ko_jasper():
    return ko("models", "Jasper", 12, "5x3", device="cpu"), (f(1, 80, 64), torch.tensor([64]))


def case_ko_location():
    return ko("models.attention", "LocationAwareAttention", 16, 16, True), (f(2, 1, 16), f(2, 7, 16), None)


def case_ko_smoothing():
    return ko("criterion", "LabelSmoothedCrossEntropyLoss", 12, 0), (f(6, 12), tokens(12, 6))


def case_ko_joint():
    model = ko("criterion", "JointCTCCrossEntropyLoss", 12, 0, blank_id=11, smoothing=0.1)
    logs = torch.log_softmax(f(2, 9, 12), -1)
    return model, (logs, torch.log_softmax(f(8, 12), -1), torch.tensor([9, 8]), tokens(11, 8), torch.tensor([4, 4]))


class Decodes(torch.nn.Module):
    def __init__(self, model, *given):
        super().__init__()
        self.model, self.given = model, given

    def forward(self, inputs, lengths):
        return self.model.recognize(inputs, lengths)


def case_ko_recognizes():
    model = ko("models", "DeepSpeech2", 40, 12, "gru", 2, 16, device="cpu")
    return Decodes(model), (f(2, 40, 40), LENGTHS)
