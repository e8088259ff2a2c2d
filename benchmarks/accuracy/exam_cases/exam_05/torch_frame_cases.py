"""Cases of torch_frame."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["torch_frame"]


def frame_of():
    import pandas as pd
    import torch_frame
    from torch_frame.data import Dataset

    table = pd.DataFrame({"a": [1.0, 2.0, None, 4.0], "b": ["x", "y", "x", None], "y": [0, 1, 0, 1]})
    kinds = {"a": torch_frame.numerical, "b": torch_frame.categorical, "y": torch_frame.categorical}
    return Dataset(table, kinds, "y").materialize()


def frame_model(name: str, **options):
    from torch_frame.nn import models

    data = frame_of()
    model = getattr(models, name)(
        out_channels=2, col_stats=data.col_stats, col_names_dict=data.tensor_frame.col_names_dict, **options
    )
    return model, (data.tensor_frame,)


def case_frame_mlp():
    return frame_model("MLP", channels=8, num_layers=2)


def case_frame_ft():
    return frame_model("FTTransformer", channels=8, num_layers=1)


def case_frame_trompt():
    return frame_model("Trompt", channels=8, num_prompts=3, num_layers=2)


def case_frame_tabnet():
    return frame_model("TabNet", num_layers=2, split_feat_channels=4, split_attn_channels=4, gamma=1.2)


def case_frame_resnet():
    return frame_model("ResNet", channels=8, num_layers=2)


def case_frame_excel():
    from torch_frame.nn.conv import ExcelFormerConv

    return ExcelFormerConv(8, 3, 2), (torch.rand(2, 3, 8),)
