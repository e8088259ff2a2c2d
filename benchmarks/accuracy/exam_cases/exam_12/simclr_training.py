"""sthalles/SimCLR: the loss and the epoch of a trainer."""

from types import SimpleNamespace

import torch
from exam_surroundings import absent, inside

absent("tensorboard", "torch.utils.tensorboard", "torchvision", "yaml")
inside("SimCLR")

import simclr
from utils import accuracy

PACKAGES = ["SimCLR"]
simclr.logging.basicConfig = lambda **_: None
simclr.save_config_file = simclr.save_checkpoint = lambda *given, **named: None


def trainer():
    args = SimpleNamespace(
        device="cpu", batch_size=3, n_views=2, temperature=0.07, fp16_precision=False, epochs=1, disable_cuda=True,
        log_every_n_steps=1, arch="linear",
    )  # fmt: skip
    model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(12, 4))
    optimizer = torch.optim.Adam(model.parameters())
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
    made = simclr.SimCLR(args=args, model=model, optimizer=optimizer, scheduler=scheduler)
    made.writer = SimpleNamespace(log_dir=".", add_scalar=lambda *given, **named: None)
    return made


def case_loss():
    learner = trainer()
    return torch.compile(learner.info_nce_loss), (torch.rand(6, 4),)


def case_train():
    learner = trainer()
    loader = [([torch.rand(3, 3, 2, 2), torch.rand(3, 3, 2, 2)], torch.zeros(3))]
    return torch.compile(learner.train), (loader,)


def case_accuracy():
    fast = torch.compile(accuracy)
    return fast, (torch.rand(4, 6), torch.randint(0, 6, (4,))), {"topk": (1, 5)}
