import random
import numpy as np
import torch


@torch.compile
def from_scalars(x):
    parts = [x[0].sum(), x[1].sum()]
    return torch.tensor(parts, device=x.device) * 2


@torch.compile
def from_rows(x):
    return torch.as_tensor([x[0, 0], x[1, 0]]) + 1  # BRK659


@torch.compile
def write_scalar(x, m):
    y = x.clone()
    y[m] = 0.0
    return y


@torch.compile
def write_selected(x, m):
    y = x.clone()
    y[m] = x[m] * 2  # BRK401
    return y


@torch.compile
def write_ready(x, m, values):
    y = x.clone()
    y[m] = values
    return y


@torch.compile
def seeded(x):
    g = torch.Generator(device=x.device).manual_seed(3)  # BRK609
    return x + torch.randn(x.shape, generator=g, device=x.device)  # BRK639


@torch.compile
def passed_generator(x, g):
    return x + torch.rand(3, generator=g)  # BRK639


@torch.compile
def py_random(x):
    if random.random() < 2.0:  # BRK608
        return x * random.choice([2.0, 2.0])  # BRK608
    return x


@torch.compile
def np_random(x):
    lam = np.random.beta(1.0, 1.0)  # BRK206
    return x * (lam * 0.0 + 1.0)


@torch.compile
def fork(x):
    with torch.random.fork_rng():  # BRK613
        torch.manual_seed(0)  # BRK609
        return x + torch.rand(3)


def run():
    x = torch.ones(2, 3)
    m = torch.tensor([[True, False, True], [False, True, False]])
    return [from_scalars(x), from_rows(x), write_scalar(x, m), write_selected(x, m), write_ready(x, m, torch.zeros(3)),
            seeded(x), passed_generator(torch.ones(3), torch.Generator().manual_seed(1)), py_random(x), np_random(x), fork(torch.ones(3))]
