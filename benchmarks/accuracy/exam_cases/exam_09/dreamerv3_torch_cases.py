"""Cases of dreamerv3-torch."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

PACKAGES = ["dreamerv3-torch"]


absent(*ABSENT["exam_09_a"])


def world(discrete, **options):
    """The recurrent state-space model of DreamerV3."""
    inside("dreamerv3-torch")
    from networks import RSSM

    return RSSM(stoch=4, deter=8, hidden=8, discrete=discrete, num_actions=2, embed=8, device="cpu", **options)


def case_dreamer_observe():
    model = world(4)
    return model.observe, (torch.randn(2, 3, 8), torch.randn(2, 3, 2), torch.tensor([[1.0, 0, 0], [1, 0, 0]]))


def case_dreamer_observe_continuous():
    model = world(False, initial="zeros", std_act="sigmoid2")
    return model.observe, (torch.randn(2, 3, 8), torch.randn(2, 3, 2), torch.tensor([[1.0, 0, 0], [1, 0, 0]]))


def case_dreamer_imagine():
    model = world(4)
    return model.imagine_with_action, (
        torch.randn(2, 3, 2),
        {key: value.detach() for key, value in model.initial(2).items()},
    )


def head(dist: str, **options):
    """A head of DreamerV3 and what it is trained on."""
    inside("dreamerv3-torch")
    from networks import MLP

    class Trained(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = MLP(8, options.get("shape", ()), 1, 8, dist=dist, device="cpu", **options.get("more", {}))

        def forward(self, features, wanted):
            found = self.net(features)
            return found.log_prob(wanted), found.mode()

    return Trained(), (torch.randn(2, 3, 8), options.get("wanted", torch.rand(2, 3, 1)))


def case_dreamer_reward():
    return head("symlog_disc", shape=(255,))


def case_dreamer_continue():
    return head("binary", shape=(1,))


def case_dreamer_actor():
    return head("normal", shape=(2,), wanted=torch.rand(2, 3, 2))


def case_dreamer_actor_of_choices():
    return head("onehot", shape=(4,), wanted=torch.eye(4)[torch.randint(0, 4, (2, 3))])
