"""davidtvs/PyTorch-ENet: epochs of training and testing with a metric."""

import torch
from exam_surroundings import absent, inside

absent("torchvision", "PIL", "matplotlib")
inside("PyTorch-ENet")

from metric.confusionmatrix import ConfusionMatrix
from metric.iou import IoU
from models.enet import ENet
from test import Test
from train import Train

PACKAGES = ["PyTorch-ENet"]


def loader():
    return [(torch.rand(1, 3, 16, 16), torch.zeros(1, 16, 16).long())]


def case_model():
    return torch.compile(ENet(3)), (torch.rand(1, 3, 32, 32),)


def case_train():
    model = torch.nn.Conv2d(3, 3, 1)
    optimizer = torch.optim.Adam(model.parameters())
    trainer = Train(model, loader(), optimizer, torch.nn.CrossEntropyLoss(), IoU(3), "cpu")
    return torch.compile(trainer.run_epoch), ()


def case_train_loudly():
    model = torch.nn.Conv2d(3, 3, 1)
    optimizer = torch.optim.Adam(model.parameters())
    trainer = Train(model, loader(), optimizer, torch.nn.CrossEntropyLoss(), IoU(3), "cpu")
    epoch = torch.compile(trainer.run_epoch)
    return epoch, (True,)


def case_test():
    model = torch.nn.Conv2d(3, 3, 1)
    tester = Test(model, loader(), torch.nn.CrossEntropyLoss(), IoU(3, ignore_index=0), "cpu")
    return torch.compile(tester.run_epoch), ()


def case_iou():
    metric = IoU(3)
    return torch.compile(metric.add), (torch.rand(1, 3, 4, 4), torch.randint(0, 3, (1, 4, 4)))


def case_iou_value():
    metric = IoU(3)
    metric.add(torch.rand(1, 3, 4, 4), torch.randint(0, 3, (1, 4, 4)))
    return torch.compile(metric.value), ()


def case_confusion():
    matrix = ConfusionMatrix(3, normalized=True)
    add = torch.compile(matrix.add)
    return add, (torch.randint(0, 3, (5,)), torch.randint(0, 3, (5,)))
