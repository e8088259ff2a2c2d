"""Cases of deep-text-recognition-benchmark."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import kornia.filters
import kornia.utils
import torch
from exam_surroundings import ABSENT, absent, inside
from scipy.spatial.transform import Rotation

PACKAGES = ["deep-text-recognition-benchmark"]


kornia.filters.filter2D = kornia.filters.filter2d  # its name when GIRAFFE was written


Rotation.as_dcm = Rotation.as_matrix  # likewise


sys.modules["kornia.utils.grid"] = kornia.utils  # where LoFTR looks for a function of it


absent(*ABSENT["exam_09_b"])


def read(**options):
    """A reader of words in pictures."""
    inside("deep-text-recognition-benchmark")
    from model import Model

    given = {
        "Transformation": "TPS",
        "FeatureExtraction": "ResNet",
        "SequenceModeling": "BiLSTM",
        "Prediction": "Attn",
        "num_fiducial": 6,
        "imgH": 32,
        "imgW": 64,
        "input_channel": 1,
        "output_channel": 32,
        "hidden_size": 16,
        "num_class": 12,
        "batch_max_length": 5,
        **options,
    }
    return Model(SimpleNamespace(**given)), (torch.rand(2, 1, 32, 64), torch.randint(0, 12, (2, 26)))


def case_text_attention():
    return read()


def case_text_attention_greedy():
    model, args = read()
    return model, args, {"is_train": False}


def case_text_ctc():
    return read(Transformation="None", FeatureExtraction="RCNN", SequenceModeling="None", Prediction="CTC")


def case_text_vgg():
    return read(FeatureExtraction="VGG", Prediction="CTC")
