"""breaklint's assert_no_graph_breaks."""
import torch
from torch import nn

from breaklint.testing import assert_no_graph_breaks


class Net(nn.Module):
    def __init__(self, verbose=False):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.verbose = verbose

    def forward(self, x):
        if self.verbose:
            print(x.shape)  # break
        return self.lin(x)


def score(x):
    return x.sum().item()  # break


def run():
    for target, args in ((Net(verbose=True), (torch.rand(2, 4),)), (score, (torch.rand(4),))):
        try:
            assert_no_graph_breaks(target, *args)
        except AssertionError:
            continue
