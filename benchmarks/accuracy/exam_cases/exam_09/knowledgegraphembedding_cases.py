"""Cases of KnowledgeGraphEmbedding."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

PACKAGES = ["KnowledgeGraphEmbedding"]


absent(*ABSENT["exam_09_a"])


def triples(name: str, **options):
    """A model of knowledge graphs."""
    inside("KnowledgeGraphEmbedding", "codes")
    from model import KGEModel

    return KGEModel(name, 30, 5, 8, 6.0, **options), torch.stack(
        [torch.randint(0, top, (4,)) for top in (30, 5, 30)], 1
    )


def case_kge_transe():
    model, sample = triples("TransE")
    return model, (sample,)


def case_kge_rotate_head():
    model, sample = triples("RotatE", double_entity_embedding=True)
    return model, ((sample, torch.randint(0, 30, (4, 6))), "head-batch")


def case_kge_complex_tail():
    model, sample = triples("ComplEx", double_entity_embedding=True, double_relation_embedding=True)
    return model, ((sample, torch.randint(0, 30, (4, 6))), "tail-batch")


def case_kge_protate():
    model, sample = triples("pRotatE")
    return model, (sample,)
