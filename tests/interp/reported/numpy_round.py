import numpy as np
import torch
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return np.round(x.cpu().numpy(), 3).tolist()  # BRK203 BRK210

# One finding a line is enough; its help is about sizes today.
