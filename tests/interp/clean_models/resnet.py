"""A residual network with squeeze and excitation, built from blocks by name."""

from typing import List, Optional, Type, Union

import torch
from torch import Tensor, nn


def conv3x3(in_planes: int, out_planes: int, stride: int = 1) -> nn.Conv2d:
    return nn.Conv2d(in_planes, out_planes, kernel_size=3, stride=stride, padding=1, bias=False)


class SqueezeExcitation(nn.Module):
    def __init__(self, channels, reduction=4, gate="sigmoid"):
        super().__init__()
        self.fc = nn.Sequential(
            nn.Linear(channels, channels // reduction), nn.ReLU(inplace=True), nn.Linear(channels // reduction, channels)
        )
        self.gate = {"sigmoid": torch.sigmoid, "hard": nn.functional.hardsigmoid}[gate]

    def forward(self, x):
        b, c, *_ = x.size()
        weight = self.gate(self.fc(x.mean((2, 3)))).view(b, c, 1, 1)
        return x * weight.expand_as(x)


class BasicBlock(nn.Module):
    expansion: int = 1

    def __init__(self, inplanes: int, planes: int, stride: int = 1, downsample: Optional[nn.Module] = None, se=False):
        super().__init__()
        self.conv1 = conv3x3(inplanes, planes, stride)
        self.bn1 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = conv3x3(planes, planes)
        self.bn2 = nn.BatchNorm2d(planes)
        self.downsample = downsample
        self.se = SqueezeExcitation(planes) if se else None

    def forward(self, x: Tensor) -> Tensor:
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.se is not None:
            out = self.se(out)
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class Bottleneck(BasicBlock):
    expansion = 2

    def __init__(self, inplanes, planes, stride=1, downsample=None, se=False):
        super().__init__(inplanes, planes, stride, downsample, se)
        self.conv3 = nn.Conv2d(planes, planes * self.expansion, 1, bias=False)

    def forward(self, x):
        identity = self.downsample(x) if self.downsample else x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        if self.se:
            out = self.se(out)
        return self.relu(self.conv3(out) + identity)


class Net(nn.Module):
    def __init__(self, block: Type[Union[BasicBlock, Bottleneck]] = BasicBlock, layers: List[int] = (1, 2)):
        super().__init__()
        self.inplanes = 16
        self.conv1 = nn.Conv2d(3, self.inplanes, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(self.inplanes)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        self.layer1 = self._make_layer(block, 16, layers[0])
        self.layer2 = self._make_layer(Bottleneck, 32, layers[1], stride=2, se=True)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(64, 10)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.constant_(m.weight, 1)

    def _make_layer(self, block, planes, blocks, stride=1, se=False):
        downsample = None
        if stride != 1 or self.inplanes != planes * block.expansion:
            downsample = nn.Sequential(nn.Conv2d(self.inplanes, planes * block.expansion, 1, stride))
        layers = [block(self.inplanes, planes, stride, downsample, se)]
        self.inplanes = planes * block.expansion
        for _ in range(1, blocks):
            layers.append(block(self.inplanes, planes, se=se))
        return nn.Sequential(*layers)

    def _forward_impl(self, x: Tensor) -> Tensor:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        for name in ("layer1", "layer2"):
            x = getattr(self, name)(x)
        return self.fc(torch.flatten(self.avgpool(x), 1))

    def forward(self, x: Tensor) -> Tensor:
        return self._forward_impl(x)


def get_inputs():
    return [torch.randn(2, 3, 32, 32)]
