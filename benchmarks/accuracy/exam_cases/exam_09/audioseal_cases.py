"""Cases of audioseal."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_c"])


from audioseal.builder import create_detector, create_generator  # noqa: E402, F401
from audioseal.models import MsgProcessor, NormalizationProcessor  # noqa: E402

PACKAGES = ["audioseal"]


def case_audioseal_message():
    return MsgProcessor(4, 8), (torch.randn(2, 8, 5), torch.randint(0, 2, (2, 4)))


class Levelled(torch.nn.Module):
    """The loudness of a watermark, brought to the sound's."""

    def __init__(self):
        super().__init__()
        self.processor = NormalizationProcessor()

    def forward(self, sound, mark):
        return self.processor.loudness_normalization(sound), self.processor.fit_inside_envelope(mark, sound)


def case_audioseal_levels():
    return Levelled(), (torch.randn(2, 1, 40), torch.randn(2, 1, 40))
