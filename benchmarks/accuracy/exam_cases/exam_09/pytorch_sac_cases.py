"""Cases of pytorch_sac."""

from __future__ import annotations

import torch
from exam_surroundings import absent, inside

PACKAGES = ["pytorch_sac"]


absent(
    "matplotlib",
    "wandb",
    "gym",
    "dmc2gym",
    "tensorboard",
    "faiss",
    "monotonic_align",
    "onnx",
    "mlperf_logger",
    "mlperf_logging",
    "git",
    "d4rl",
    "mujoco_py",
    "tap",
    "imageio",
    "skvideo",
    "optuna",
    "torch_cluster",
    "torch_scatter",
    "tomli_w",
    "tomli",
    "scipy.io",
    "dataloader",
    "torch.utils.tensorboard",
    "model.monotonic_align",
)


def case_sac_actor():
    inside("pytorch_sac")
    from agent.actor import DiagGaussianActor

    class Policy(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.actor = DiagGaussianActor(5, 2, 16, 2, (-5, 2))

        def forward(self, seen):
            found = self.actor(seen)
            action = found.rsample()
            return action, found.log_prob(action).sum(-1), found.mean

    return Policy(), (torch.randn(4, 5),)


def case_sac_critic():
    inside("pytorch_sac")
    from agent.critic import DoubleQCritic

    return DoubleQCritic(5, 2, 16, 2), (torch.randn(4, 5), torch.randn(4, 2))
