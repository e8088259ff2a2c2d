import torch


class MaskedLoss(torch.nn.Module):
    def __init__(self, pad_id):
        super().__init__()
        self.pad_id = pad_id

    def forward(self, logits, target):
        keep = target != self.pad_id
        if keep.sum() == 0:  # BRK301
            return logits.sum() * 0.0
        return logits[keep].mean()  # BRK401
