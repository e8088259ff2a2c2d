"""A method of a dataclass is compiled."""
from dataclasses import dataclass

import torch


@dataclass
class Config:
    limit: float = 0.5
    verbose: bool = True

    @torch.compile
    def apply(self, x):
        if self.verbose:
            print("limit", self.limit)  # break
        return x.clamp(max=self.limit)

    def plain(self, x):
        print("limit", self.limit)
        return x


def run():
    config = Config()
    config.plain(config.apply(torch.rand(4)))
