"""torch.compile(self.agent.update): a method of an attribute."""
import torch
from torch import nn


class Agent:
    def __init__(self, net):
        self.net = net

    def update(self, obs, reward):
        value = self.net(obs).squeeze(-1)
        loss = (value - reward).pow(2).mean()
        if loss > 1:  # break
            loss = loss.clamp(max=1)
        return loss

    def act(self, obs):
        return self.net(obs).argmax().item()


class Loop:
    def __init__(self, agent):
        self.agent = agent
        self.update = torch.compile(self.agent.update)

    def run(self, obs):
        self.agent.act(obs)
        return self.update(obs, torch.ones(2))


def run():
    Loop(Agent(nn.Linear(4, 1))).run(torch.rand(2, 4))
