"""Cases of dasp_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["dasp_pytorch"]


class Gained(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        from dasp_pytorch import Gain

        self.processor = Gain(16000)

    def forward(self, x, parameters):
        return self.processor.process_normalized(x, parameters)


def case_gain():
    return Gained(), (torch.rand(1, 1, 4096) - 0.5, torch.rand(1, 1))


class Equalized(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        from dasp_pytorch import ParametricEQ

        self.processor = ParametricEQ(16000)

    def forward(self, x, parameters):
        return self.processor.process_normalized(x, parameters)


def case_equalizer():
    return Equalized(), (torch.rand(1, 1, 4096) - 0.5, torch.rand(1, 18))


class Compressed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        from dasp_pytorch import Compressor

        self.processor = Compressor(16000)

    def forward(self, x, parameters):
        return self.processor.process_normalized(x, parameters)


def case_compressor():
    return Compressed(), (torch.rand(1, 1, 4096) - 0.5, torch.rand(1, 6))


class Reverb(nn.Module):
    def __init__(self, length: int) -> None:
        super().__init__()
        self.length = length

    def forward(self, x, gains, decays, mix):
        import dasp_pytorch

        return dasp_pytorch.noise_shaped_reverberation(
            x, 44100, *gains.unbind(1), *decays.unbind(1), mix, num_samples=self.length, num_bandpass_taps=63
        )


def case_reverb():
    return Reverb(1000), (torch.rand(1, 2, 2000), torch.rand(1, 12), torch.rand(1, 12), torch.rand(1))
