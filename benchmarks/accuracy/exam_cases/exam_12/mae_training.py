"""facebookresearch/mae: epochs, scalers, optimisers."""

import math
import sys
from types import SimpleNamespace

import numpy as np
import torch
from exam_surroundings import absent, inside

absent("timm", "tensorboard", "torch.utils.tensorboard", "torchvision")
sys.modules["torch._six"] = SimpleNamespace(inf=math.inf)  # older releases of torch had it
inside("mae")

from engine_finetune import train_one_epoch as finetune
from engine_pretrain import train_one_epoch
from util import misc
from util.lars import LARS
from util.lr_sched import adjust_learning_rate
from util.pos_embed import get_2d_sincos_pos_embed

PACKAGES = ["mae"]
ARGS = SimpleNamespace(accum_iter=1, warmup_epochs=2, epochs=10, lr=0.1, min_lr=0.01, mask_ratio=0.5)
np.float = float
torch.cuda.synchronize = lambda: None


class Model(torch.nn.Module):
    """As the engine wants one."""

    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(4, 4)

    def forward(self, x, mask_ratio=0.5):
        return self.lin(x).mean(), None, None


def optimizer_of(model):
    return torch.optim.SGD(model.parameters(), lr=0.1)


def case_pretrain():
    model = Model()
    loader = [(torch.rand(2, 4), torch.zeros(2))]
    scaler = misc.NativeScalerWithGradNormCount()
    args = (model, loader, optimizer_of(model), torch.device("cpu"), 1, scaler, None, ARGS)
    return torch.compile(train_one_epoch), args


def case_finetune():
    model = torch.nn.Linear(4, 3)
    loader = [(torch.rand(2, 4), torch.tensor([0, 1]))]
    scaler = misc.NativeScalerWithGradNormCount()
    args = (model, torch.nn.CrossEntropyLoss(), loader, optimizer_of(model), torch.device("cpu"), 1, scaler)
    return torch.compile(finetune), args, {"args": ARGS}


def case_scaler():
    model = torch.nn.Linear(4, 3)
    scaler = misc.NativeScalerWithGradNormCount()
    optimizer = optimizer_of(model)

    def step(x):
        return scaler(model(x).mean(), optimizer, clip_grad=1.0, parameters=model.parameters())

    return torch.compile(step), (torch.rand(2, 4),)


def case_norm():
    model = torch.nn.Linear(4, 3)
    model(torch.rand(2, 4)).sum().backward()
    return torch.compile(misc.get_grad_norm_), (list(model.parameters()),)


def case_lars():
    model = torch.nn.Linear(4, 3)
    model(torch.rand(2, 4)).sum().backward()
    optimizer = LARS(model.parameters(), lr=0.1)

    @torch.compile
    def step():
        optimizer.step()

    return step, ()


def case_value():
    value = misc.SmoothedValue()
    return torch.compile(value.update), (torch.rand(()).item(),)


def case_median():
    value = misc.SmoothedValue()
    value.update(2.0)
    value.update(3.0)

    @torch.compile
    def shown(x):
        return x * value.median + value.avg

    return shown, (torch.rand(2),)


def case_metric_logger():
    logger = misc.MetricLogger()
    return torch.compile(logger.update), (), {"loss": torch.rand(()), "lr": 0.1}


def case_learning_rate():
    return torch.compile(adjust_learning_rate), (optimizer_of(Model()), 3.5, ARGS)


def case_positions():
    return torch.compile(get_2d_sincos_pos_embed), (8, 4)
