"""Of a model and its copy one is compiled."""
import copy

import torch


class Scorer:
    def __init__(self, limit):
        self.limit = limit

    def fast(self, x):
        if x.max() > self.limit:  # break
            x = x.clamp(max=self.limit)
        return x

    def slow(self, x):
        if x.max() > self.limit:
            x = x.clamp(max=self.limit)
        return x


def run():
    scorer = Scorer(0.5)
    twin = copy.deepcopy(scorer)
    score = torch.compile(twin.fast)
    scorer.slow(score(torch.rand(4)))
