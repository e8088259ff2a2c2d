"""Cases of egnn."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["egnn", "e3_diffusion_for_molecules"]


EDGES = [torch.tensor([0, 0, 1, 2, 3, 4]), torch.tensor([1, 2, 0, 3, 4, 0])]


def case_egnn_clean():
    inside("egnn")
    from models.egnn_clean.egnn_clean import EGNN

    model = EGNN(4, 8, 3, in_edge_nf=1, n_layers=2, attention=True, normalize=True, tanh=True)
    return model, (torch.randn(5, 4), torch.randn(5, 3), EDGES, torch.ones(6, 1))


def case_egnn_velocity():
    inside("egnn")
    from n_body_system.model import EGNN_vel

    model = EGNN_vel(1, 2, 8, n_layers=2, recurrent=True, norm_diff=True)
    return model, (torch.randn(5, 1), torch.randn(5, 3), EDGES, torch.randn(5, 3), torch.randn(6, 2))


def case_egnn_gnn():
    inside("egnn")
    from n_body_system.model import GNN

    return GNN(6, 8, n_layers=2, recurrent=True), (torch.randn(5, 6), EDGES, torch.randn(6, 1))


def case_egnn_qm9():
    inside("egnn")
    from qm9.models import EGNN

    model = EGNN(4, 0, 8, n_layers=2, attention=True, node_attr=1)
    nodes = torch.randn(6, 4)
    edges = [EDGES[0], EDGES[1]]
    return model, (nodes, torch.randn(6, 3), edges, None, torch.ones(6, 1), torch.ones(6, 1), 3)


def diffusion(**options):
    """The equivariant diffusion of molecules."""
    inside("e3_diffusion_for_molecules")
    from egnn.models import EGNN_dynamics_QM9
    from equivariant_diffusion.en_diffusion import EnVariationalDiffusion

    dynamics = EGNN_dynamics_QM9(
        7, 0, 3, hidden_nf=8, n_layers=1, attention=True, mode=options.pop("mode", "egnn_dynamics")
    )
    given = {"timesteps": 10, "noise_schedule": "polynomial_2", "loss_type": "l2", "norm_values": (1.0, 4.0, 1.0)}
    model = EnVariationalDiffusion(dynamics, 6, 3, **{**given, **options})
    mask = torch.ones(2, 4, 1)
    x = torch.randn(2, 4, 3)
    x = x - x.mean(1, keepdim=True)
    kinds = torch.nn.functional.one_hot(torch.randint(0, 5, (2, 4)), 5).float()
    pairs = (1 - torch.eye(4)).repeat(2, 1, 1).view(-1, 1)
    return model, (x, {"categorical": kinds, "integer": torch.randint(1, 9, (2, 4, 1)).float()}, mask, pairs)


def case_e3_diffusion():
    return diffusion()


def case_e3_diffusion_learned():
    return diffusion(noise_schedule="learned", loss_type="vlb")


def case_e3_diffusion_gnn():
    return diffusion(mode="gnn_dynamics")
