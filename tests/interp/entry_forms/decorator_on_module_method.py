"""A method of a module, apart from forward, below @torch.compile."""
import torch
from torch import nn


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Linear(4, 3)

    @torch.compile
    def act(self, obs):
        logits = self.actor(obs)
        return logits.argmax(-1).tolist()  # break

    def describe(self, obs):
        return self.actor(obs).argmax(-1).tolist()

    def forward(self, obs):
        return self.actor(obs)


def run():
    agent = Agent()
    agent.act(torch.rand(2, 4))
    agent.describe(torch.rand(2, 4))
