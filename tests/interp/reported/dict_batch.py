import torch
class Net(torch.nn.Module):
    def __init__(self, pad_id):
        super().__init__()
        self.pad_id = 0
        self.l = torch.nn.Linear(4, 4)
    def forward(self, batch):
        keep = batch["target"] != self.pad_id
        y = self.l(batch["x"])
        if keep.sum() == 0:  # BRK301
            return y.sum() * 0
        return y[keep].mean()  # BRK401
