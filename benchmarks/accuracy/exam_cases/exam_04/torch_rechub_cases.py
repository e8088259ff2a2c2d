"""Cases of torch_rechub."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["torch_rechub"]


def features():
    from torch_rechub.basic.features import DenseFeature, SequenceFeature, SparseFeature

    dense, sparse = [DenseFeature("age")], [SparseFeature("user", 6, 4), SparseFeature("item", 6, 4)]
    history = [SequenceFeature("seen", 6, 4, pooling="concat", shared_with="item")]
    given = {
        "age": torch.rand(3),
        "user": torch.tensor([0, 1, 5]),
        "item": torch.tensor([1, 2, 3]),
        "seen": torch.tensor([[1, 2, 0], [3, 0, 0], [4, 5, 1]]),
    }
    return dense, sparse, history, given


LAYERS = {"dims": [8], "dropout": 0.1, "activation": "relu"}


def case_deep_fm():
    from torch_rechub.models.ranking import DeepFM

    dense, sparse, _, given = features()
    return DeepFM(dense + sparse, sparse, LAYERS), (given,)


def case_wide_and_deep():
    from torch_rechub.models.ranking import WideDeep

    dense, sparse, _, given = features()
    return WideDeep(sparse, dense + sparse, LAYERS), (given,)


def case_deep_interest():
    from torch_rechub.models.ranking import DIN

    _, sparse, history, given = features()
    return DIN(sparse[:1], history, sparse[1:], {"dims": [8]}, {"dims": [4]}), (given,)


def case_cross_network():
    from torch_rechub.models.ranking import DCNv2

    _, sparse, _, given = features()
    return DCNv2(sparse, 2, LAYERS), (given,)


def case_auto_int():
    from torch_rechub.models.ranking import AutoInt

    _, sparse, _, given = features()
    return AutoInt(sparse, [], 1, 2), (given,)


def case_mixture_of_tasks():
    from torch_rechub.models.multi_task import MMOE

    _, sparse, _, given = features()
    return MMOE(sparse, ["classification", "regression"], 2, {"dims": [4]}, [{"dims": [4]}, {"dims": [4]}]), (given,)


def case_dssm():
    from torch_rechub.models.matching import DSSM

    _, sparse, _, given = features()
    return DSSM(sparse[:1], sparse[1:], {"dims": [4]}, {"dims": [4]}), (given,)


def case_hstu():
    from torch_rechub.models.generative.hstu import HSTUModel

    return HSTUModel(vocab_size=8, d_model=8, n_heads=2, n_layers=1, dqk=4, dv=4, max_seq_len=6), (
        torch.tensor([[1, 2, 3, 0, 0, 0]]),
    )
