"""davda54/sam: an optimiser of two steps."""

import torch
from exam_surroundings import absent, inside

absent("torchvision")
inside("sam")

from example.model.smooth_cross_entropy import smooth_crossentropy
from example.utility.bypass_bn import disable_running_stats, enable_running_stats
from sam import SAM

PACKAGES = ["sam"]


def model():
    return torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 3))


def case_step():
    net = model()
    optimizer = SAM(net.parameters(), torch.optim.SGD, rho=0.05, lr=0.1)

    @torch.compile
    def step(inputs, targets):
        enable_running_stats(net)
        loss = smooth_crossentropy(net(inputs), targets)
        loss.mean().backward()
        optimizer.first_step(zero_grad=True)
        disable_running_stats(net)
        smooth_crossentropy(net(inputs), targets).mean().backward()
        optimizer.second_step(zero_grad=True)
        return loss

    return step, (torch.rand(5, 4), torch.randint(0, 3, (5,)))


def case_closure():
    net = model()
    optimizer = SAM(net.parameters(), torch.optim.SGD, lr=0.1, adaptive=True)
    net(torch.rand(5, 4)).sum().backward()

    def closure():
        net(torch.ones(5, 4)).sum().backward()

    return torch.compile(optimizer.step), (closure,)


def case_first():
    net = model()
    optimizer = SAM(net.parameters(), torch.optim.SGD, lr=0.1)
    net(torch.rand(5, 4)).sum().backward()
    return torch.compile(optimizer.first_step), (True,)


def case_loss():
    return torch.compile(smooth_crossentropy), (torch.rand(5, 3), torch.randint(0, 3, (5,)))
