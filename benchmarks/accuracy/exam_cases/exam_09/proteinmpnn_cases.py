"""Cases of ProteinMPNN."""

from __future__ import annotations

import numpy as np
import torch
from exam_surroundings import ABSENT, absent, inside

PACKAGES = ["ProteinMPNN"]


absent(*ABSENT["exam_09_a"])


def protein(**options):
    """ProteinMPNN and two chains of twelve residues."""
    inside("ProteinMPNN")
    from protein_mpnn_utils import ProteinMPNN

    model = ProteinMPNN(21, 16, 16, 16, 1, 1, k_neighbors=4, **options)
    atoms = 3 if options.get("ca_only") else 4
    x = torch.randn(2, 12, 3) if options.get("ca_only") else torch.randn(2, 12, atoms, 3)
    whole = torch.ones(2, 12)
    args = (
        x,
        torch.randint(0, 21, (2, 12)),
        whole,
        whole,
        torch.arange(12).expand(2, 12),
        whole.long(),
        torch.randn(2, 12),
    )
    return model, args


def case_protein_mpnn():
    return protein()


def case_protein_mpnn_carbons():
    return protein(ca_only=True)


def case_protein_mpnn_sample():
    model, (x, _, mask, chain, residues, encoding, noise) = protein()
    known = torch.randint(0, 21, (2, 12))
    return (
        model.sample,
        (x, noise, known, chain, encoding, residues),
        {
            "mask": mask,
            "temperature": 0.1,
            "omit_AAs_np": np.zeros(21),
            "bias_AAs_np": np.zeros(21),
            "chain_M_pos": mask,
            "bias_by_res": torch.zeros(2, 12, 21),
        },
    )


def case_protein_mpnn_training():
    inside("ProteinMPNN", "training")
    from model_utils import ProteinMPNN

    model = ProteinMPNN(
        node_features=16, edge_features=16, hidden_dim=16, num_encoder_layers=1, num_decoder_layers=1, k_neighbors=4
    )
    whole = torch.ones(2, 12)
    return model, (
        torch.randn(2, 12, 4, 3),
        torch.randint(0, 21, (2, 12)),
        whole,
        whole,
        torch.arange(12).expand(2, 12),
        whole.long(),
    )


def case_protein_mpnn_losses():
    inside("ProteinMPNN")
    from protein_mpnn_utils import loss_smoothed

    return loss_smoothed, (torch.randint(0, 21, (2, 12)), torch.randn(2, 12, 21).log_softmax(-1), torch.ones(2, 12))
