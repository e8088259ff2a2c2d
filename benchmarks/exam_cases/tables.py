"""Tables, recommendation, time series, survival and tagging."""

from __future__ import annotations

import contextlib

import torch

with contextlib.suppress(RuntimeError):  # torchvision's wheel is built for CUDA; its Python needs the operators' names
    torch.library.define("torchvision::nms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    torch.library.define("torchvision::qnms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

PACKAGES = ["pytorch_tabnet", "deepctr_torch", "torchtuples", "torchsurv", "tft_torch", "nbeats_pytorch", "torchcrf"]


def case_tabnet():
    from pytorch_tabnet.tab_network import TabNet

    return TabNet(6, 2, cat_idxs=[0], cat_dims=[4], cat_emb_dim=[2], group_attention_matrix=torch.eye(6)), (
        torch.cat([torch.randint(0, 4, (8, 1)).float(), torch.randn(8, 5)], 1),
    )


def case_tabnet_of_entmax():
    from pytorch_tabnet.tab_network import TabNetNoEmbeddings

    return TabNetNoEmbeddings(6, 2, mask_type="entmax", virtual_batch_size=4), (torch.randn(8, 6),)


def case_tabnet_of_several_tasks():
    from pytorch_tabnet.tab_network import TabNetNoEmbeddings

    return TabNetNoEmbeddings(6, [2, 3]), (torch.randn(8, 6),)


def case_tabnet_pretraining():
    from pytorch_tabnet.tab_network import TabNetPretraining

    return TabNetPretraining(6, group_attention_matrix=torch.eye(6)), (torch.randn(8, 6),)


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


def case_plain_perceptron():
    from torchtuples.practical import MLPVanilla

    return MLPVanilla(4, [8, 8], 1, dropout=0.1), (torch.randn(8, 4),)


def case_mixed_perceptron():
    from torchtuples.practical import MixedInputMLP

    return MixedInputMLP(4, [5], [3], [8], 1), (torch.randn(8, 4), torch.randint(0, 5, (8, 1)))


class CoxLoss(torch.nn.Module):
    def __init__(self, ties: str) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)
        self.ties = ties

    def forward(self, x, event, time):
        from torchsurv.loss.cox import neg_partial_log_likelihood

        return neg_partial_log_likelihood(self.layer(x), event, time, ties_method=self.ties)


class WeibullLoss(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)

    def forward(self, x, event, time):
        from torchsurv.loss.weibull import neg_log_likelihood_weibull, survival_function_weibull

        told = self.layer(x)
        return neg_log_likelihood_weibull(told, event, time), survival_function_weibull(told, time)


class Concordance(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)

    def forward(self, x, event, time):
        from torchsurv.metrics.cindex import ConcordanceIndex

        return ConcordanceIndex()(self.layer(x).squeeze(1), event, time)


def patients():
    return torch.randn(8, 4), torch.arange(8) % 2 == 0, torch.arange(8.0) // 2 + 1


def case_cox_efron():
    return CoxLoss("efron"), patients()


def case_cox_breslow():
    return CoxLoss("breslow"), patients()


def case_cox_without_ties():
    x, event, time = patients()
    return CoxLoss("efron"), (x, event, time + torch.arange(8) * 0.01)


def case_weibull():
    return WeibullLoss(), patients()


def case_concordance():
    return Concordance(), patients()


def case_temporal_fusion():
    from omegaconf import OmegaConf
    from tft_torch.tft import TemporalFusionTransformer

    config = OmegaConf.create(
        {
            "task_type": "regression",
            "target_window_start": None,
            "model": {
                "dropout": 0.1,
                "state_size": 8,
                "output_quantiles": [0.1, 0.5, 0.9],
                "lstm_layers": 1,
                "attention_heads": 2,
            },
            "data_props": {
                "num_historical_numeric": 2,
                "num_historical_categorical": 1,
                "num_static_numeric": 1,
                "num_static_categorical": 1,
                "num_future_numeric": 1,
                "num_future_categorical": 1,
                "historical_categorical_cardinalities": [4],
                "static_categorical_cardinalities": [4],
                "future_categorical_cardinalities": [4],
            },
        }
    )
    batch = {
        "static_feats_numeric": torch.rand(2, 1),
        "static_feats_categorical": torch.randint(0, 4, (2, 1)),
        "historical_ts_numeric": torch.rand(2, 6, 2),
        "historical_ts_categorical": torch.randint(0, 4, (2, 6, 1)),
        "future_ts_numeric": torch.rand(2, 3, 1),
        "future_ts_categorical": torch.randint(0, 4, (2, 3, 1)),
    }
    return TemporalFusionTransformer(config), (batch,)


def case_nbeats():
    from nbeats_pytorch.model import NBeatsNet

    return NBeatsNet(hidden_layer_units=8), (torch.rand(2, 10, 1),)


def case_nbeats_generic():
    from nbeats_pytorch.model import NBeatsNet

    kinds = (NBeatsNet.GENERIC_BLOCK, NBeatsNet.SEASONALITY_BLOCK)
    return NBeatsNet(stack_types=kinds, hidden_layer_units=8, share_weights_in_stack=True), (torch.rand(2, 10),)


def tagged():
    mask = torch.ones(2, 5, dtype=torch.bool)
    mask[1, 3:] = False
    return torch.randn(2, 5, 3), torch.randint(0, 3, (2, 5)), mask


def case_field():
    from torchcrf import CRF

    return CRF(3, batch_first=True), tagged()


def case_field_by_token():
    from torchcrf import CRF

    return CRF(3, batch_first=True), (*tagged(), "token_mean")


class Tagger(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        from torchcrf import CRF

        self.field = CRF(3, batch_first=True)

    def forward(self, x, mask):
        return self.field.decode(x, mask)


def case_decoded_field():
    x, _, mask = tagged()
    return Tagger(), (x, mask)
