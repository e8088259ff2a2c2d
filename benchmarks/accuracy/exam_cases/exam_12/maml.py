"""dragen1860/MAML-Pytorch: inner and outer steps in one forward."""

from types import SimpleNamespace

import torch
from exam_surroundings import inside

inside("MAML-Pytorch")

from learner import Learner
from meta import Meta

PACKAGES = ["MAML-Pytorch"]
CONFIG = [
    ("conv2d", [4, 1, 3, 3, 2, 0]), ("relu", [True]), ("bn", [4]), ("flatten", []), ("linear", [3, 4 * 3 * 3]),
]  # fmt: skip


def meta():
    args = SimpleNamespace(
        update_lr=0.1, meta_lr=1e-3, n_way=3, k_spt=1, k_qry=2, task_num=2, update_step=2, update_step_test=2,
        imgc=1, imgsz=8,
    )  # fmt: skip
    return Meta(args, CONFIG)


def images(*shape):
    return torch.rand(*shape, 1, 8, 8)


def case_step():
    learner = torch.compile(meta())
    return learner, (images(2, 3), torch.randint(0, 3, (2, 3)), images(2, 6), torch.randint(0, 3, (2, 6)))


def case_finetune():
    learner = meta()
    args = (images(3), torch.randint(0, 3, (3,)), images(6), torch.randint(0, 3, (6,)))
    return torch.compile(learner.finetunning), args


def case_clip():
    learner = meta()
    return torch.compile(learner.clip_grad_by_norm_), ([torch.rand(3), torch.rand(2)], 0.1)


def case_learner():
    net = Learner(CONFIG, 1, 8)
    return torch.compile(net), (images(3),)


def case_zero_grad():
    net = Learner(CONFIG, 1, 8)
    return torch.compile(net.zero_grad), ()
