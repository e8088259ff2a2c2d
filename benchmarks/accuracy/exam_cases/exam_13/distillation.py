"""AberHu/Knowledge-Distillation-Zoo: losses between students and teachers."""

import sys

import torch
from exam_surroundings import absent, inside

absent("kd_losses.kdsvd")
inside("Knowledge-Distillation-Zoo")
sys.modules["torch.autograd.gradcheck"].zero_gradients = lambda x: None  # older releases of torch had it

from kd_losses.ab import AB
from kd_losses.afd import AFD
from kd_losses.at import AT
from kd_losses.bss import BSS, BSSAttacker
from kd_losses.cc import CC
from kd_losses.fsp import FSP
from kd_losses.irg import IRG
from kd_losses.lwm import LwM
from kd_losses.nst import NST
from kd_losses.ofd import OFD
from kd_losses.pkt import PKTCosSim
from kd_losses.rkd import RKD
from kd_losses.sp import SP
from kd_losses.vid import VID

PACKAGES = ["Knowledge-Distillation-Zoo"]


def maps():
    return torch.rand(2, 4, 3, 3), torch.rand(2, 4, 3, 3)


def features():
    return torch.rand(4, 6), torch.rand(4, 6)


def case_ab():
    return torch.compile(AB(1.0)), maps()


def case_afd():
    return torch.compile(AFD(4, 0.5)), maps()


def case_at():
    return torch.compile(AT(2.0)), maps()


def case_bss():
    return torch.compile(BSS(3.0)), features()


def case_attack():
    net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(27, 4))
    attacker = BSSAttacker(0.3, 2)

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = net

        def forward(self, x):
            return None, None, None, None, None, self.net(x)

    args = (Model(), torch.rand(2, 3, 3, 3), torch.tensor([0, 1]), torch.tensor([2, 3]))
    return torch.compile(attacker.attack), args


def case_cc():
    return torch.compile(CC(0.4, 2)), features()


def case_fsp():
    return torch.compile(FSP()), (*maps(), *maps())


def case_irg():
    maps_of = [*maps(), *maps(), *features()]
    return torch.compile(IRG(0.1, 5.0, 5.0)), (maps_of, maps_of)


def case_lwm():
    criterion = LwM()
    net = torch.nn.Conv2d(4, 5, 3)
    fm = torch.rand(2, 4, 3, 3, requires_grad=True)
    out = net(fm).flatten(1)
    return torch.compile(criterion), (out, fm, out, fm, torch.tensor([0, 1]))


def case_nst():
    return torch.compile(NST()), maps()


def case_ofd():
    return torch.compile(OFD(4, 4)), maps()


def case_pkt():
    return torch.compile(PKTCosSim()), features()


def case_rkd():
    return torch.compile(RKD(25, 50)), features()


def case_sp():
    return torch.compile(SP()), maps()


def case_vid():
    return torch.compile(VID(4, 4, 4, 5.0)), maps()
