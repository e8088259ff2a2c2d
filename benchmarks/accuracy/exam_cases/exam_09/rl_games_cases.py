"""Cases of rl_games."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_d"])


from rl_games.algos_torch.models import ModelA2C, ModelA2CContinuousLogStd  # noqa: E402
from rl_games.algos_torch.network_builder import A2CBuilder  # noqa: E402
from rl_games.algos_torch.running_mean_std import RunningMeanStd  # noqa: E402
from rl_games.algos_torch.spatial_softmax import SpatialSoftArgmax  # noqa: E402

PACKAGES = ["rl_games"]


def played(*, continuous=True, rnn=None, **options):
    """A model of rl_games and what it sees."""
    space = (
        {
            "continuous": {
                "mu_activation": "None",
                "sigma_activation": "None",
                "mu_init": {"name": "default"},
                "sigma_init": {"name": "const_initializer", "val": 0},
                "fixed_sigma": True,
            }
        }
        if continuous
        else {"discrete": None}
    )
    params = {
        "separate": False,
        "space": space,
        "mlp": {"units": [8], "activation": "elu", "initializer": {"name": "default"}},
        **options,
    }
    if rnn:
        params["rnn"] = {"name": rnn, "units": 8, "layers": 1, "before_mlp": False}
    builder = A2CBuilder()
    builder.load(params)
    kind = ModelA2CContinuousLogStd if continuous else ModelA2C
    return kind(builder).build(
        {
            "actions_num": 3,
            "input_shape": (5,),
            "num_seqs": 4,
            "value_size": 1,
            "normalize_value": True,
            "normalize_input": True,
        }
    )


def case_rl_games_acting():
    return played(), ({"is_train": False, "obs": torch.randn(4, 5), "prev_actions": None, "rnn_states": None},)


def case_rl_games_training():
    return played(), (
        {"is_train": True, "obs": torch.randn(4, 5), "prev_actions": torch.randn(4, 3), "rnn_states": None},
    )


def case_rl_games_choices():
    return played(continuous=False), (
        {"is_train": False, "obs": torch.randn(4, 5), "prev_actions": None, "rnn_states": None},
    )


def case_rl_games_recurrent():
    states = [torch.zeros(1, 4, 8), torch.zeros(1, 4, 8)]
    given = {"is_train": False, "obs": torch.randn(4, 5), "prev_actions": None, "rnn_states": states, "seq_length": 1}
    return played(rnn="lstm"), (given,)


def case_rl_games_mean_and_deviation():
    return RunningMeanStd((5,)), (torch.randn(4, 5),)


def case_rl_games_spatial_softmax():
    return SpatialSoftArgmax(normalize=True), (torch.randn(2, 3, 6, 6),)
