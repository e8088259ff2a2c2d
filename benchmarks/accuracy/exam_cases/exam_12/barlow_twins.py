"""facebookresearch/barlowtwins: an optimiser and a schedule."""

from types import SimpleNamespace

import torch
from exam_surroundings import absent, inside

absent("torchvision", "PIL")
inside("barlowtwins")

from main import LARS, adjust_learning_rate, off_diagonal

PACKAGES = ["barlowtwins"]


def optimizer():
    model = torch.nn.Linear(4, 3)
    model(torch.rand(2, 4)).sum().backward()
    groups = [{"params": [model.weight]}, {"params": [model.bias]}]
    return LARS(groups, lr=0.1, weight_decay=1e-6, weight_decay_filter=True, lars_adaptation_filter=True)


def case_optimizer():
    lars = optimizer()

    @torch.compile
    def step():
        lars.step()

    return step, ()


def case_schedule():
    args = SimpleNamespace(epochs=20, batch_size=256, learning_rate_weights=0.2, learning_rate_biases=0.01)
    return torch.compile(adjust_learning_rate), (args, optimizer(), range(5), 60)


def case_off_diagonal():
    return torch.compile(off_diagonal), (torch.rand(3, 3),)


def case_loss():
    norm = torch.nn.BatchNorm1d(3, affine=False)

    @torch.compile
    def loss_of(one, two):
        c = norm(one).T @ norm(two)
        c.div_(4)
        on = torch.diagonal(c).add_(-1).pow_(2).sum()
        return on + 0.01 * off_diagonal(c).pow_(2).sum()

    return loss_of, (torch.rand(4, 3), torch.rand(4, 3))
