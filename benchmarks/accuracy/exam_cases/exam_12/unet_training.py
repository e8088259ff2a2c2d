"""milesial/Pytorch-UNet: losses and evaluation."""

import torch
from exam_surroundings import inside

inside("Pytorch-UNet")

from evaluate import evaluate
from unet.unet_model import UNet
from utils.dice_score import dice_loss, multiclass_dice_coeff

PACKAGES = ["Pytorch-UNet"]


def case_dice():
    return torch.compile(dice_loss), (torch.rand(2, 3, 8, 8), torch.rand(2, 3, 8, 8)), {"multiclass": True}


def case_dice_of_one():
    return torch.compile(dice_loss), (torch.rand(2, 8, 8), torch.rand(2, 8, 8))


def case_coefficient():
    return torch.compile(multiclass_dice_coeff), (torch.rand(2, 3, 8, 8), torch.rand(2, 3, 8, 8))


def case_evaluate():
    net = UNet(3, 2)
    loader = [{"image": torch.rand(1, 3, 16, 16), "mask": torch.zeros(1, 16, 16)}]
    return torch.compile(evaluate), (net, loader, torch.device("cpu"), False)


def case_evaluate_of_one_class():
    net = UNet(3, 1, True)
    loader = [{"image": torch.rand(1, 3, 16, 16), "mask": torch.zeros(1, 1, 16, 16)}]
    fast = torch.compile(evaluate)
    return fast, (net, loader, torch.device("cpu"), False)


def case_checkpointing():
    net = UNet(3, 2)
    net.use_checkpointing()
    return torch.compile(net), (torch.rand(1, 3, 16, 16),)


def case_step():
    net = UNet(3, 2)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-4)
    scaler = torch.amp.GradScaler("cpu", enabled=False)

    @torch.compile
    def step(images, masks):
        with torch.autocast("cpu", enabled=False):
            out = net(images)
            loss = torch.nn.functional.cross_entropy(out, masks)
            target = torch.nn.functional.one_hot(masks, net.n_classes).permute(0, 3, 1, 2).float()
            loss = loss + dice_loss(out.softmax(1), target, multiclass=True)
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        return loss

    return step, (torch.rand(1, 3, 16, 16), torch.zeros(1, 16, 16).long())
