"""Cases of deepctr_torch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["deepctr_torch"]


def columns():
    from deepctr_torch.inputs import DenseFeat, SparseFeat, VarLenSparseFeat

    sparse = [SparseFeat("user", 5, 4), SparseFeat("item", 5, 4), SparseFeat("shop", 5, 4)]
    several = VarLenSparseFeat(SparseFeat("tags", 6, 4), maxlen=3, combiner="mean")
    return [*sparse, DenseFeat("price", 1), several]


def rows(n: int = 8) -> torch.Tensor:
    return torch.cat([torch.randint(0, 5, (n, 3)).float(), torch.rand(n, 1), torch.randint(0, 6, (n, 3)).float()], 1)


def recommender(name: str, *, twice: bool = True, **options):
    import deepctr_torch.models

    model = getattr(deepctr_torch.models, name)(*[columns()] * (1 + twice), device="cpu", **options)
    return model, (rows(),)


def case_wide_and_deep():
    return recommender("WDL", dnn_use_bn=True)


def case_deepfm():
    return recommender("DeepFM")


def case_xdeepfm():
    return recommender("xDeepFM")


def case_afm():
    from deepctr_torch.models import AFM

    return AFM(columns(), columns()[:3], device="cpu"), (rows(),)


def case_autoint():
    return recommender("AutoInt")


def case_deep_and_cross():
    return recommender("DCN", cross_parameterization="matrix")


def case_cross_of_experts():
    return recommender("DCNMix")


def case_fibinet():
    return recommender("FiBiNET")


def case_nfm():
    return recommender("NFM")


def case_onn():
    return recommender("ONN")


def case_pnn():
    return recommender("PNN", twice=False, use_outter=True)


def case_afn():
    return recommender("AFN")


def case_ifm():
    return recommender("IFM")


def case_mixture_of_experts():
    return recommender("MMOE", twice=False, task_types=["binary", "regression"], task_names=["click", "pay"])


def case_progressive_layers():
    return recommender("PLE", twice=False, task_types=["binary", "binary"], task_names=["click", "pay"])


def history():
    from deepctr_torch.inputs import SparseFeat, VarLenSparseFeat

    item = SparseFeat("item", 6, embedding_dim=4, embedding_name="item")
    past = SparseFeat("hist_item", 6, embedding_dim=4, embedding_name="item")
    return [SparseFeat("user", 5, 4), item, VarLenSparseFeat(past, maxlen=4, length_name="seq_length")]


def visits() -> torch.Tensor:
    return torch.cat([torch.randint(1, 5, (8, 6)).float(), torch.randint(1, 5, (8, 1)).float()], 1)


def case_interest():
    from deepctr_torch.models import DIN

    return DIN(history(), ["item"], device="cpu"), (visits(),)


def case_evolving_interest():
    from deepctr_torch.models import DIEN

    return DIEN(history(), ["item"], gru_type="AUGRU", device="cpu"), (visits(),)
