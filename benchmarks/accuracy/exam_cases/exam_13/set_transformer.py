"""juho-lee/set_transformer: sets and mixtures."""

import torch
from exam_surroundings import absent, inside

absent("matplotlib", "h5py")
inside("set_transformer")

from mixture_of_mvns import MixtureOfMVNs
from models import DeepSet, SetTransformer
from mvn_diag import MultivariateNormalDiag

PACKAGES = ["set_transformer"]


def case_model():
    return torch.compile(SetTransformer(2, 3, 5, num_inds=4, dim_hidden=8, num_heads=2)), (torch.rand(2, 6, 2),)


def case_deep_set():
    return torch.compile(DeepSet(2, 3, 5, 8)), (torch.rand(2, 6, 2),)


def case_likelihood():
    mixture = MixtureOfMVNs(MultivariateNormalDiag(2))
    weights = torch.softmax(torch.rand(2, 3), 1)
    params = (torch.rand(2, 3, 2), torch.rand(2, 3, 2) + 0.1)
    return torch.compile(mixture.log_prob), (torch.rand(2, 6, 2), weights, params)


def case_parse():
    mixture = MixtureOfMVNs(MultivariateNormalDiag(2))
    parse = torch.compile(mixture.parse)
    return parse, (torch.rand(2, 3, 5),)


def case_sample():
    mixture = MixtureOfMVNs(MultivariateNormalDiag(2))
    return torch.compile(mixture.sample), (2, 6, 3)


def case_step():
    net = SetTransformer(2, 3, 5, num_inds=4, dim_hidden=8, num_heads=2)
    mixture = MixtureOfMVNs(MultivariateNormalDiag(2))
    optimizer = torch.optim.Adam(net.parameters())

    @torch.compile
    def step(x):
        likelihood = mixture.log_prob(x, *mixture.parse(net(x)))
        optimizer.zero_grad()
        (-likelihood).backward()
        optimizer.step()
        return likelihood.item()

    return step, (torch.rand(2, 6, 2),)
