"""HobbitLong/SupContrast: a loss and an epoch."""

from types import SimpleNamespace

import torch
from exam_surroundings import absent, inside

absent("torchvision", "tensorboard_logger", "apex")
inside("SupContrast")

from losses import SupConLoss
from main_supcon import train
from networks.resnet_big import SupConResNet
from util import AverageMeter, accuracy, adjust_learning_rate, warmup_learning_rate

PACKAGES = ["SupContrast"]


def case_loss():
    criterion = torch.compile(SupConLoss())
    return criterion, (torch.nn.functional.normalize(torch.rand(4, 2, 8), dim=-1), torch.tensor([0, 1, 0, 1]))


def case_loss_of_one():
    criterion = SupConLoss(contrast_mode="one")
    return torch.compile(criterion), (torch.nn.functional.normalize(torch.rand(4, 2, 8), dim=-1),)


def case_model():
    return torch.compile(SupConResNet("resnet18")), (torch.rand(2, 3, 16, 16),)


def case_epoch():
    model = SupConResNet("resnet18")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    opt = SimpleNamespace(warm=False, method="SupCon", print_freq=1)
    loader = [((torch.rand(2, 3, 16, 16), torch.rand(2, 3, 16, 16)), torch.tensor([0, 1]))]
    return torch.compile(train), (loader, model, SupConLoss(), optimizer, 1, opt)


def case_accuracy():
    return torch.compile(accuracy), (torch.rand(4, 6), torch.randint(0, 6, (4,)), (1, 5))


def case_meter():
    meter = AverageMeter()
    update = torch.compile(meter.update)
    return update, (torch.rand(()), 4)


def case_learning_rate():
    optimizer = torch.optim.SGD([torch.rand(2)], lr=0.1)
    args = SimpleNamespace(learning_rate=0.1, cosine=True, lr_decay_rate=0.1, epochs=10)
    return torch.compile(adjust_learning_rate), (args, optimizer, 2)


def case_warmup():
    optimizer = torch.optim.SGD([torch.rand(2)], lr=0.1)
    args = SimpleNamespace(warm=True, warm_epochs=2, warmup_from=0.01, warmup_to=0.1)
    return torch.compile(warmup_learning_rate), (args, 1, 0, 10, optimizer)
