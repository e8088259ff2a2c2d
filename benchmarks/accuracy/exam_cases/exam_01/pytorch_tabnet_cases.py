"""Cases of pytorch_tabnet."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["pytorch_tabnet"]


def case_tabnet():
    from pytorch_tabnet.tab_network import TabNet

    return TabNet(6, 2, cat_idxs=[0], cat_dims=[4], cat_emb_dim=[2], group_attention_matrix=torch.eye(6)), (
        torch.cat([torch.randint(0, 4, (8, 1)).float(), torch.randn(8, 5)], 1),
    )


def case_tabnet_of_entmax():
    from pytorch_tabnet.tab_network import TabNetNoEmbeddings

    return TabNetNoEmbeddings(6, 2, mask_type="entmax", virtual_batch_size=4), (torch.randn(8, 6),)


def case_tabnet_of_several_tasks():
    from pytorch_tabnet.tab_network import TabNetNoEmbeddings

    return TabNetNoEmbeddings(6, [2, 3]), (torch.randn(8, 6),)


def case_tabnet_pretraining():
    from pytorch_tabnet.tab_network import TabNetPretraining

    return TabNetPretraining(6, group_attention_matrix=torch.eye(6)), (torch.randn(8, 6),)
