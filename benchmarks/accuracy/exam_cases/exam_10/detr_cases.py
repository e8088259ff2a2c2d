"""Cases of detr."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_a"])


PACKAGES = ["detr"]


def case_detr():
    inside("detr")
    from models.backbone import Backbone, Joiner
    from models.detr import DETR
    from models.position_encoding import PositionEmbeddingSine
    from models.transformer import Transformer

    import util.misc  # isort: skip

    util.misc.is_main_process()
    importlib.import_module("models.backbone").is_main_process = lambda: False
    backbone = Backbone("resnet18", True, False, False)
    joiner = Joiner(backbone, PositionEmbeddingSine(16, normalize=True))
    joiner.num_channels = backbone.num_channels
    transformer = Transformer(
        d_model=32, nhead=2, num_encoder_layers=1, num_decoder_layers=1, return_intermediate_dec=True
    )
    return DETR(joiner, transformer, 5, 4, aux_loss=True), ([torch.rand(3, 64, 64), torch.rand(3, 48, 64)],)


def case_detr_criterion():
    inside("detr")
    from models.detr import SetCriterion
    from models.matcher import HungarianMatcher

    weights = {"loss_ce": 1, "loss_bbox": 5, "loss_giou": 2}
    criterion = SetCriterion(5, HungarianMatcher(), weights, 0.1, ["labels", "boxes", "cardinality"])
    boxes = torch.rand(2, 4, 4) * 0.3 + 0.3
    targets = [
        {"labels": torch.tensor([1, 2]), "boxes": boxes[0, :2]},
        {"labels": torch.tensor([0]), "boxes": boxes[1, :1]},
    ]
    return criterion, ({"pred_logits": torch.randn(2, 4, 6), "pred_boxes": boxes}, targets)


def case_detr_post():
    inside("detr")
    from models.detr import PostProcess

    outputs = {"pred_logits": torch.randn(2, 4, 6), "pred_boxes": torch.rand(2, 4, 4)}
    return PostProcess(), (outputs, torch.tensor([[64, 64], [48, 64]]))


def case_detr_masks():
    inside("detr")
    from models.segmentation import MHAttentionMap

    return MHAttentionMap(16, 16, 2), (torch.randn(1, 4, 16), torch.randn(1, 16, 8, 8))
