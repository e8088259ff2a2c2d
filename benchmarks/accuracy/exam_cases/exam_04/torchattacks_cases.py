"""Cases of torchattacks."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
import torchattacks
from torch import nn

PACKAGES = ["torchattacks"]


def image(*size: int) -> torch.Tensor:
    return torch.rand(size or (1, 1, 16, 16))


class Classifier(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(48, 3)

    def forward(self, x):
        return self.linear(x.flatten(1))


def pictures():
    return image(2, 3, 4, 4), torch.tensor([0, 2])


class AttackFgsm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.FGSM(Classifier())

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_fgsm():
    return AttackFgsm(), pictures()


class AttackPgd(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.PGD(Classifier(), steps=1)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_pgd():
    return AttackPgd(), pictures()


class AttackCw(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.CW(Classifier(), steps=2)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_cw():
    return AttackCw(), pictures()


class AttackMifgsm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.MIFGSM(Classifier(), steps=1)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_mifgsm():
    return AttackMifgsm(), pictures()


class AttackTifgsm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.TIFGSM(Classifier(), steps=1)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_tifgsm():
    return AttackTifgsm(), pictures()


class AttackVnifgsm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.VNIFGSM(Classifier(), steps=1, N=1)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_vnifgsm():
    return AttackVnifgsm(), pictures()


class AttackJitter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.Jitter(Classifier(), steps=1)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_jitter():
    return AttackJitter(), pictures()


class AttackPgdl2(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.PGDL2(Classifier(), steps=1)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_pgdl2():
    return AttackPgdl2(), pictures()


class AttackDeepFool(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.DeepFool(Classifier(), steps=1)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_deep_fool():
    return AttackDeepFool(), pictures()


class AttackOneNoise(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.GN(Classifier())

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_one_noise():
    return AttackOneNoise(), pictures()


class AttackSpsa(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.SPSA(Classifier(), nb_iter=1, nb_sample=2, max_batch_size=2)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_spsa():
    return AttackSpsa(), pictures()


class AttackSquare(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.Square(Classifier(), n_queries=2)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_square():
    return AttackSquare(), pictures()
