"""Cases of pytorch_neural_crf."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["pytorch_neural_crf"]


LABELS = ["<PAD>", "O", "B-X", "I-X", "<START>", "<STOP>"]


def tagger(**options):
    """A tagger of pytorch_neural_crf."""
    inside("pytorch_neural_crf")
    import transformers

    transformers.AdamW = torch.optim.AdamW
    from src.config import ContextEmb
    from src.model.neuralcrf import NNCRF

    given = {
        "word_embedding": np.random.randn(12, 8).astype("float32"),
        "embedding_dim": 8,
        "static_context_emb": ContextEmb.none,
        "context_emb_size": 0,
        "use_char_rnn": True,
        "char_emb_size": 4,
        "char2idx": dict.fromkeys(range(9)),
        "charlstm_hidden_dim": 6,
        "dropout": 0.1,
        "label_size": len(LABELS),
        "hidden_dim": 8,
        "label2idx": {label: i for i, label in enumerate(LABELS)},
        "add_iobes_constraint": False,
        "idx2labels": LABELS,
        **options,
    }
    words, lengths = torch.randint(1, 12, (3, 5)), torch.tensor([5, 4, 2])
    chars, sizes = torch.randint(1, 9, (3, 5, 4)), torch.randint(1, 5, (3, 5))
    return NNCRF(SimpleNamespace(**given)), (words, lengths, None, chars, sizes, torch.randint(1, 4, (3, 5)))


def case_neural_crf():
    return tagger()


def case_neural_crf_words_only():
    return tagger(use_char_rnn=False)


def case_neural_crf_inferencer():
    model, (_, lengths, _, _, _, labels) = tagger()
    mask = torch.arange(5)[None] < lengths[:, None]
    return model.inferencer, (torch.randn(3, 5, len(LABELS)), lengths, labels, mask)


def case_neural_crf_fast():
    tagger()
    from src.model.module.fast_linear_crf_inferencer import FastLinearCRF

    lengths = torch.tensor([5, 4, 2])
    model = FastLinearCRF(len(LABELS), {label: i for i, label in enumerate(LABELS)}, idx2labels=LABELS)
    return model, (
        torch.randn(3, 5, len(LABELS)),
        lengths,
        torch.randint(1, 4, (3, 5)),
        torch.arange(5)[None] < lengths[:, None],
    )
