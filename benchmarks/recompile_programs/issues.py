"""Ten public issues about recompilations, each rebuilt small."""

# ruff: noqa: D102 - programs that are compiled

import torch
from torch import nn


class Torchrec4338(nn.Module):
    """torchrec#4338: jagged features, whose list of lengths per key is a Python list."""

    def forward(self, values, lengths):
        return torch.stack([part.sum(0) for part in values.split(lengths)])


def dion23(momentum, update, step):
    """dion#23: an optimizer's step with its number as an argument that goes into a logarithm's kin."""
    return momentum * 0.9 + update / (1 - 0.9**step)


class Peft2416(nn.Module):
    """peft#2416: adapters of different ranks are swapped into one layer."""

    def __init__(self):
        super().__init__()
        self.base = nn.Linear(8, 8)

    def forward(self, x, down, up):
        return self.base(x) + (x @ down) @ up


class ComfyUi8342(nn.Module):
    """ComfyUI#8342: the sampler tells the model its step as an int of an options dict."""

    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(8, 8)

    def forward(self, x, options):
        if options["step"] < 4:
            x = x * 2
        return self.proj(x)


class ComfyUi9289(nn.Module):
    """ComfyUI#9289: latents of many resolutions."""

    def __init__(self):
        super().__init__()
        self.patch = nn.Conv2d(4, 8, 2, stride=2)

    def forward(self, x):
        x = self.patch(x)
        batch, channels, height, width = x.shape
        return x.reshape(batch, channels, height * width).transpose(1, 2)


class TensorRtLlm6142(nn.Module):
    """TensorRT-LLM#6142: a layer keeps the number of tokens of a batch as an attribute."""

    def __init__(self):
        super().__init__()
        self.tokens = 0
        self.proj = nn.Linear(8, 8)

    def forward(self, x):
        return self.proj(x)[: self.tokens]


class Diffusers11475(nn.Module):
    """diffusers#11475: the scale of a LoRA is a float of the module."""

    def __init__(self):
        super().__init__()
        self.scale = 1.0
        self.base, self.down, self.up = nn.Linear(8, 8), nn.Linear(8, 2), nn.Linear(2, 8)

    def forward(self, x):
        return self.base(x) + self.up(self.down(x)) * self.scale


class Pytorch163329(nn.Module):
    """pytorch#163329: a counter of the module."""

    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * 2


def pytorch152918(x):
    """pytorch#152918: a dimension that shall be dynamic is fixed somewhere in the code."""
    rows = [row * 2 for row in x]
    return torch.stack(rows)


class Positions(nn.Module):
    """A cache of positions by length, as many models of these issues have."""

    def __init__(self):
        super().__init__()
        self.cache = {}

    def forward(self, x):
        length = x.shape[1]
        if length not in self.cache:
            self.cache[length] = torch.arange(length)
        return x + self.cache[length][:, None]
