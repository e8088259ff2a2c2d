"""facebookresearch/mixup-cifar10: models of its training script."""

import torch
from exam_surroundings import absent, inside

absent("torchvision")
inside("mixup-cifar10")

from models.densenet3 import DenseNet3
from models.mobilenet import MobileNet
from models.resnet import ResNet18
from models.resnext import ResNeXt29_2x64d

PACKAGES = ["mixup-cifar10"]


def case_resnet():
    return torch.compile(ResNet18()), (torch.rand(1, 3, 32, 32),)


def case_mobilenet():
    model = MobileNet()
    model.compile()
    return model, (torch.rand(1, 3, 32, 32),)


def case_densenet():
    return torch.compile(DenseNet3(10, 10)), (torch.rand(1, 3, 32, 32),)


def case_resnext():
    return torch.compile(ResNeXt29_2x64d()), (torch.rand(1, 3, 32, 32),)
