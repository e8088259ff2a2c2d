"""The compiled function is called within contexts."""
import torch


def evaluate(x):
    y = x.exp()
    return y / y.sum().item()  # break


class Policy:
    def __init__(self):
        self.act = torch.compile(self._act)

    @torch.no_grad()
    def _act(self, x):
        p = x.softmax(-1)
        return torch.multinomial(p, 1).item()  # break

    def _slow(self, x):
        return torch.multinomial(x.softmax(-1), 1).item()


def run():
    with torch.no_grad():
        torch.compile(evaluate)(torch.rand(4))
    policy = Policy()
    policy.act(torch.rand(4))
    policy._slow(torch.rand(4))
