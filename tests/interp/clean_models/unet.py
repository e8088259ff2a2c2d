"""A U-Net whose decoder pads what the encoder kept, with optional deep supervision."""

import torch
import torch.nn.functional as F
from torch import nn


class DoubleConv(nn.Sequential):
    def __init__(self, in_channels, out_channels, mid_channels=None):
        mid_channels = mid_channels or out_channels
        super().__init__(
            nn.Conv2d(in_channels, mid_channels, 3, padding=1),
            nn.GroupNorm(4, mid_channels),
            nn.SiLU(),
            nn.Conv2d(mid_channels, out_channels, 3, padding=1),
        )


class Up(nn.Module):
    def __init__(self, in_channels, out_channels, bilinear=True):
        super().__init__()
        self.bilinear = bilinear
        if bilinear:
            self.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
            self.conv = DoubleConv(in_channels, out_channels, in_channels // 2)
        else:
            self.up = nn.ConvTranspose2d(in_channels, in_channels // 2, kernel_size=2, stride=2)
            self.conv = DoubleConv(in_channels, out_channels)

    def forward(self, x1, x2):
        x1 = self.up(x1)
        diff_y = x2.size()[2] - x1.size()[2]
        diff_x = x2.size()[3] - x1.size()[3]
        if diff_x or diff_y:
            x1 = F.pad(x1, [diff_x // 2, diff_x - diff_x // 2, diff_y // 2, diff_y - diff_y // 2])
        return self.conv(torch.cat([x2, x1], dim=1))


class Net(nn.Module):
    def __init__(self, channels=(8, 16, 32), classes=3, deep_supervision=True):
        super().__init__()
        self.deep_supervision = deep_supervision
        self.inc = DoubleConv(3, channels[0])
        self.downs = nn.ModuleList()
        self.ups = nn.ModuleList()
        for a, b in zip(channels[:-1], channels[1:]):
            self.downs.append(nn.Sequential(nn.MaxPool2d(2), DoubleConv(a, b)))
        for a, b in zip(channels[::-1][:-1], channels[::-1][1:]):
            self.ups.append(Up(a + b, b))
        self.heads = nn.ModuleDict({str(c): nn.Conv2d(c, classes, 1) for c in channels})

    def forward(self, x):
        skips = [self.inc(x)]
        for down in self.downs:
            skips.append(down(skips[-1]))
        x = skips.pop()
        outputs = {}
        for up, skip in zip(self.ups, reversed(skips)):
            x = up(x, skip)
            if self.deep_supervision and self.training:
                head = self.heads[str(x.shape[1])]
                outputs[f"aux_{len(outputs)}"] = F.interpolate(head(x), skips[0].shape[2:])
        outputs["out"] = self.heads["8"](x)
        if len(outputs) == 1:
            return outputs["out"]
        return outputs


def get_inputs():
    return [torch.randn(1, 3, 30, 34)]
