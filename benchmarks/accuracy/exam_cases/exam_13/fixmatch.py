"""kekmodel/FixMatch-pytorch: averages of weights and measures."""

from types import SimpleNamespace

import torch
from exam_surroundings import absent, inside

absent("torchvision", "PIL", "tensorboard", "torch.utils.tensorboard", "dataset")
inside("FixMatch-pytorch")

from models.ema import ModelEMA
from models.wideresnet import WideResNet
from train import de_interleave, interleave, test
from utils.misc import AverageMeter, accuracy

PACKAGES = ["FixMatch-pytorch"]


def case_ema():
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))
    ema = ModelEMA(SimpleNamespace(device="cpu"), model, 0.9)
    return torch.compile(ema.update), (model,)


def case_model():
    return torch.compile(WideResNet(10, depth=10, widen_factor=1)), (torch.rand(2, 3, 16, 16),)


def case_accuracy():
    return torch.compile(accuracy), (torch.rand(5, 6), torch.randint(0, 6, (5,)), (1, 5))


def case_test():
    args = SimpleNamespace(device="cpu", no_progress=True, local_rank=-1)
    loader = [(torch.rand(2, 6), torch.tensor([0, 1]))]
    return torch.compile(test), (args, loader, torch.nn.Linear(6, 6), 1)


def case_interleave():
    both = torch.compile(lambda x: de_interleave(interleave(x, 3), 3))
    return both, (torch.rand(6, 4),)


def case_step():
    model = WideResNet(10, depth=10, widen_factor=1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, nesterov=True, momentum=0.9)
    ema = ModelEMA(SimpleNamespace(device="cpu"), model, 0.9)
    meter = AverageMeter()

    @torch.compile
    def step(labeled, targets, weak, strong):
        inputs = interleave(torch.cat((labeled, weak, strong)), 3)
        logits = de_interleave(model(inputs), 3)
        pseudo = torch.softmax(logits[1:2].detach(), dim=-1)
        most, which = torch.max(pseudo, dim=-1)
        loss = torch.nn.functional.cross_entropy(logits[:1], targets)
        loss = loss + (torch.nn.functional.cross_entropy(logits[2:], which, reduction="none") * most.ge(0.5)).mean()
        loss.backward()
        meter.update(loss.item())
        optimizer.step()
        ema.update(model)
        model.zero_grad()
        return loss

    images = torch.rand(1, 3, 16, 16)
    return step, (images, torch.tensor([1]), images, images)
