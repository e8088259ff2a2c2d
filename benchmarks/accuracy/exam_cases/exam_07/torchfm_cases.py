"""Cases of torchfm."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["torchfm"]


def fields() -> torch.Tensor:
    return torch.randint(0, 5, (4, 3))


def case_factorization_machine():
    from torchfm.model.fm import FactorizationMachineModel

    return FactorizationMachineModel([5, 5, 5], 4), (fields(),)


def case_deep_factorization_machine():
    from torchfm.model.dfm import DeepFactorizationMachineModel

    return DeepFactorizationMachineModel([5, 5, 5], 4, (8,), 0.1), (fields(),)


def case_extreme_deep_factorization_machine():
    from torchfm.model.xdfm import ExtremeDeepFactorizationMachineModel

    return ExtremeDeepFactorizationMachineModel([5, 5, 5], 4, (8,), 0.1, (8, 8)), (fields(),)


def case_adaptive_factorization_network():
    from torchfm.model.afn import AdaptiveFactorizationNetwork

    return AdaptiveFactorizationNetwork([5, 5, 5], 4, 6, (8,), (0.1,)), (fields(),)


def case_automatic_feature_interaction():
    from torchfm.model.afi import AutomaticFeatureInteractionModel

    return AutomaticFeatureInteractionModel([5, 5, 5], 4, 8, 2, 2, (8,), (0.1, 0.1)), (fields(),)


def case_field_aware_factorization_machine():
    from torchfm.model.ffm import FieldAwareFactorizationMachineModel

    return FieldAwareFactorizationMachineModel([5, 5, 5], 4), (fields(),)


def case_product_network():
    from torchfm.model.pnn import ProductNeuralNetworkModel

    return ProductNeuralNetworkModel([5, 5, 5], 4, (8,), 0.1), (fields(),)
