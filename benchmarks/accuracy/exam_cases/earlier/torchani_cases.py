"""Cases of torchani."""

from __future__ import annotations

import torch

PACKAGES = ["torchani"]


def case_ani():
    import torchani

    model = (
        torchani.arch.simple_ani(("H", "C"), lot="wb97x-631gd", neighborlist="all_pairs")
        if hasattr(torchani.arch, "simple_ani")
        else None
    )
    return model, ((torch.tensor([[6, 1, 1, 1, 1]]), torch.randn(1, 5, 3)),)


def case_ani_cell_list():
    import torchani

    model = torchani.arch.simple_ani(("H", "C"), lot="wb97x-631gd", neighborlist="cell_list")
    return model, ((torch.tensor([[6, 1, 1, 1, 1]]), torch.randn(1, 5, 3) * 3),)


def case_ani_repulsion():
    import torchani

    model = torchani.arch.simple_ani(("H", "C"), lot="wb97x-631gd", repulsion=True, dispersion=True)
    return model, ((torch.tensor([[6, 1, 1, 1, 1]]), torch.randn(1, 5, 3)),)


def case_ani_charges():
    import torchani

    model = torchani.arch.simple_aniq(("H", "C"), lot="wb97x-631gd")
    return model, ((torch.tensor([[6, 1, 1, 1, 1]]), torch.randn(1, 5, 3)),)


def case_charge_normalizer():
    from torchani.electro import ChargeNormalizer

    return ChargeNormalizer(("H", "C")), (torch.tensor([[1, 0, 0]]), torch.randn(1, 3))


def case_species_converter():
    from torchani.nn import SpeciesConverter

    return SpeciesConverter(("H", "C")), (torch.tensor([[6, 1, 1]]),)
