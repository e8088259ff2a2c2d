"""williamleif/graphsage-simple: neighbours that are drawn in forward."""

import torch
from exam_surroundings import absent, inside

absent("sklearn", "networkx")
inside("graphsage-simple")

from graphsage.aggregators import MeanAggregator
from graphsage.encoders import Encoder

PACKAGES = ["graphsage-simple"]


def encoder():
    features = torch.nn.Embedding(6, 4)
    neighbours = {i: {(i + 1) % 6, (i + 2) % 6} for i in range(6)}
    return Encoder(features, 4, 5, neighbours, MeanAggregator(features), gcn=False)


def case_aggregate():
    aggregate = torch.compile(MeanAggregator(torch.nn.Embedding(6, 4)))
    return aggregate, ([0, 1], [{1, 2}, {2, 3}], 1)


def case_encode():
    return torch.compile(encoder()), ([0, 1, 2],)


def case_step():
    net, head = encoder(), torch.nn.Linear(5, 3)
    optimizer = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)

    @torch.compile
    def step(nodes, labels):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(head(net(nodes).t()), labels)
        loss.backward()
        optimizer.step()
        return loss

    return step, ([0, 1, 2], torch.tensor([0, 1, 2]))
