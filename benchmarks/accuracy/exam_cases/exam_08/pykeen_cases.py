"""Cases of pykeen."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_08_a"])


PACKAGES = ["pykeen"]


def triple(name: str, *shapes, **options):
    """An interaction of pykeen and representations of heads, relations and tails."""
    module = importlib.import_module("pykeen.nn.modules")
    tensors = [
        tuple(torch.randn(s) for s in shape) if isinstance(shape, list) else torch.randn(shape) for shape in shapes
    ]
    return getattr(module, name)(**options), tuple(tensors)


V = (4, 8)


def case_pykeen_transe():
    return triple("TransEInteraction", V, V, V, p=2)


def case_pykeen_conve():
    return triple("ConvEInteraction", (4, 32), (4, 32), [(4, 32), (4,)], embedding_dim=32)


def case_pykeen_convkb():
    return triple("ConvKBInteraction", V, V, V, embedding_dim=8, num_filters=4)


def case_pykeen_transr():
    return triple("TransRInteraction", V, [(4, 6), (4, 8, 6)], V, p=2)


def case_pykeen_hole():
    return triple("HolEInteraction", V, V, V)


def case_pykeen_transd():
    return triple("TransDInteraction", [V, V], [(4, 6), (4, 6)], [V, V])


def case_pykeen_ntn():
    return triple("NTNInteraction", V, [(4, 2, 8, 8), (4, 2, 8), (4, 2, 8), (4, 2), (4, 2)], V)


def case_pykeen_transh():
    return triple("TransHInteraction", V, [V, V], V, p=2)


def case_pykeen_quate():
    return triple("QuatEInteraction", (4, 8, 4), (4, 8, 4), (4, 8, 4))


def case_pykeen_boxe():
    return triple("BoxEInteraction", [V, V], [V, V, (4, 1), V, V, (4, 1)], [V, V], p=2)


def case_pykeen_autosf():
    return triple("AutoSFInteraction", [V, V], [V, V], [V, V], coefficients=[(0, 0, 0, 1), (1, 1, 1, -1)])
