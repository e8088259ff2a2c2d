"""Cases of rsl_rl."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_d"])


from rsl_rl.models import CNNModel, MLPModel, RNNModel  # noqa: E402
from rsl_rl.modules.normalization import (  # noqa: E402
    EmpiricalDiscountedVariationNormalization,
    EmpiricalNormalization,
)
from tensordict import TensorDict  # noqa: E402

PACKAGES = ["rsl_rl"]


def seen(kind, *, groups=("state",), **options):
    """A model of rsl_rl and what four robots see."""
    obs = TensorDict({"state": torch.randn(4, 6), "image": torch.rand(4, 1, 12, 12)}, batch_size=[4])
    return kind(obs, {"actor": list(groups)}, "actor", 3, hidden_dims=[8, 8], obs_normalization=True, **options), obs


GAUSSIAN = {"class_name": "rsl_rl.modules.distribution:GaussianDistribution", "init_std": 1.0}


def case_rsl_rl_mlp():
    model, obs = seen(MLPModel)
    return model, (obs,)


def case_rsl_rl_mlp_sampled():
    model, obs = seen(MLPModel, distribution_cfg=GAUSSIAN)
    return model, (obs,), {"stochastic_output": True}


def case_rsl_rl_mlp_beta():
    model, obs = seen(MLPModel, distribution_cfg={"class_name": "rsl_rl.modules.distribution:BetaDistribution"})
    return model, (obs,), {"stochastic_output": True}


def case_rsl_rl_rnn():
    model, obs = seen(RNNModel, rnn_type="gru", rnn_hidden_dim=8)
    return model, (obs,)


def case_rsl_rl_cnn():
    model, obs = seen(CNNModel, groups=("state", "image"), cnn_cfg={"output_channels": [4], "kernel_size": 3})
    return model, (obs,)


def case_rsl_rl_normalization():
    return EmpiricalNormalization(6, until=100), (torch.randn(4, 6),)


def case_rsl_rl_rewards():
    return EmpiricalDiscountedVariationNormalization(()), (torch.randn(4),)
