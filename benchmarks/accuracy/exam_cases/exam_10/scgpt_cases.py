"""Cases of scGPT."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["scGPT"]


def scgpt(**options):
    """A small model of cells."""
    inside("scGPT")
    absent(
        "scanpy",
        "anndata",
        "flash_attn",
        "torchtext",
        "scgpt.tokenizer",
        "scgpt.data_collator",
        "scgpt.scbank",
        "scgpt.data_sampler",
        "scgpt.preprocess",
        "scgpt.tasks",
        "scgpt.utils",
        "scgpt.trainer",
        "scgpt.loss",
    )
    from scgpt.model.model import TransformerModel

    genes, values = torch.randint(0, 10, (2, 7)), torch.rand(2, 7)
    model = TransformerModel(
        12, 16, 2, 16, 1, vocab={"<pad>": 11, "<cls>": 10}, use_fast_transformer=False, dropout=0.1, **options
    )
    return model, (genes, values, genes.eq(11))


def case_scgpt():
    return scgpt()


def case_scgpt_all_losses():
    model, given = scgpt(do_mvc=True, n_cls=3)
    return model, given, {"CLS": True, "CCE": True, "MVC": True, "ECS": True}


def case_scgpt_batches():
    model, given = scgpt(do_dab=True, use_batch_labels=True, num_batch_labels=2, domain_spec_batchnorm=True)
    return model, given, {"batch_labels": torch.tensor([0, 1])}
