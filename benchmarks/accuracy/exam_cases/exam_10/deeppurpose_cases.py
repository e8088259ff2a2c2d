"""Cases of DeepPurpose."""

from __future__ import annotations

from types import SimpleNamespace

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["DeepPurpose"]


def case_deeppurpose_transformer():
    inside("DeepPurpose")
    from DeepPurpose.encoders import transformer

    small = {
        "input_dim_drug": 20,
        "transformer_emb_size_drug": 8,
        "transformer_dropout_rate": 0.1,
        "transformer_n_layer_drug": 1,
        "transformer_intermediate_size_drug": 8,
        "transformer_num_attention_heads_drug": 2,
        "transformer_attention_probs_dropout": 0.1,
        "transformer_hidden_dropout_rate": 0.1,
    }
    return transformer("drug", **small), ((torch.randint(0, 20, (2, 50)).double(), torch.ones(2, 50).double()),)


DRUGS = {"cnn_drug_filters": [4, 8], "cnn_drug_kernels": [4, 6], "hidden_dim_drug": 8}


def case_deeppurpose_cnn():
    inside("DeepPurpose")
    from DeepPurpose.encoders import CNN

    return CNN("drug", **DRUGS), (torch.rand(2, 63, 100),)


def case_deeppurpose_cnn_rnn():
    inside("DeepPurpose")
    from DeepPurpose.encoders import CNN_RNN

    more = {
        "rnn_Use_GRU_LSTM_drug": "LSTM",
        "rnn_drug_hid_dim": 4,
        "rnn_drug_n_layers": 1,
        "rnn_drug_bidirectional": True,
    }
    return CNN_RNN("drug", **DRUGS, **more), (torch.rand(2, 63, 100),)


def case_deeppurpose_mpnn():
    import sys

    inside("DeepPurpose")
    from DeepPurpose.encoders import MPNN

    sys.modules["DeepPurpose.chemutils"] = SimpleNamespace(ATOM_FDIM=39, BOND_FDIM=11)
    model = MPNN(8, 2)
    atoms, bonds = torch.randn(2, 5, 39), torch.randn(2, 6, 50)
    near, next_to = torch.randint(0, 3, (2, 5, 6)), torch.randint(0, 3, (2, 6, 6))
    return model, ((atoms, bonds, near, next_to, torch.tensor([[[5.0], [6.0]], [[4.0], [5.0]]])),)
