"""Cases of pytorch_metric_learning."""

from __future__ import annotations

import torch

PACKAGES = ["pytorch_metric_learning"]


def metric(name: str, **options):
    from pytorch_metric_learning import losses

    return getattr(losses, name)(**options), (torch.randn(8, 4), torch.arange(8) // 2)


def case_contrastive():
    return metric("ContrastiveLoss")


def case_triplets():
    return metric("TripletMarginLoss")


def case_arcs():
    return metric("ArcFaceLoss", num_classes=4, embedding_size=4)


def case_circles():
    return metric("CircleLoss")


def case_similarities():
    return metric("MultiSimilarityLoss")


def case_temperature():
    return metric("NTXentLoss")


def case_proxies():
    return metric("ProxyAnchorLoss", num_classes=4, embedding_size=4)


def case_supervised_contrast():
    return metric("SupConLoss")


def case_soft_triples():
    return metric("SoftTripleLoss", num_classes=4, embedding_size=4)


def case_ranked_precision():
    return metric("FastAPLoss")


def case_histogram():
    return metric("HistogramLoss", n_bins=5)


def case_memory_of_batches():
    from pytorch_metric_learning import losses

    model = losses.CrossBatchMemory(losses.NTXentLoss(), 4, memory_size=16)
    return model, (torch.randn(8, 4), torch.arange(8) // 2)


def case_hard_pairs():
    from pytorch_metric_learning import miners

    return miners.BatchHardMiner(), (torch.randn(8, 4), torch.arange(8) // 2)


def case_near_pairs():
    from pytorch_metric_learning import miners

    return miners.MultiSimilarityMiner(), (torch.randn(8, 4), torch.arange(8) // 2)
