"""Batch normalisation written by hand, with running statistics in buffers, and one that knows several domains."""

import torch
import torch.nn as nn


class BatchNorm(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True):
        super().__init__()
        self.eps, self.momentum, self.affine, self.track = eps, momentum, affine, track_running_stats
        if self.affine:
            self.weight = nn.Parameter(torch.ones(num_features))
            self.bias = nn.Parameter(torch.zeros(num_features))
        else:
            self.register_parameter("weight", None)
            self.register_parameter("bias", None)
        if self.track:
            self.register_buffer("running_mean", torch.zeros(num_features))
            self.register_buffer("running_var", torch.ones(num_features))
            self.register_buffer("num_batches_tracked", torch.tensor(0, dtype=torch.long))
        else:
            self.register_buffer("running_mean", None)
            self.register_buffer("running_var", None)

    def _check_input_dim(self, input):
        if input.dim() != 4:
            raise ValueError(f"expected 4D input (got {input.dim()}D input)")

    def forward(self, input):
        self._check_input_dim(input)
        use_batch_stats = self.training or (self.running_mean is None and self.running_var is None)
        if use_batch_stats:
            mean = input.mean([0, 2, 3])
            var = input.var([0, 2, 3], unbiased=False)
            n = input.numel() / input.size(1)
            if self.track:
                with torch.no_grad():
                    self.num_batches_tracked.add_(1)
                    self.running_mean.copy_(self.momentum * mean + (1 - self.momentum) * self.running_mean)
                    self.running_var = self.momentum * var * n / (n - 1) + (1 - self.momentum) * self.running_var
        else:
            mean, var = self.running_mean, self.running_var
        out = (input - mean[None, :, None, None]) / torch.sqrt(var[None, :, None, None] + self.eps)
        if self.affine and self.weight is not None:
            out = out * self.weight[None, :, None, None] + self.bias[None, :, None, None]
        return out


class InstanceAware(BatchNorm):
    def forward(self, input):
        half = input.shape[1] // 2
        normed = super().forward(input)
        return torch.cat([normed[:, :half], torch.nn.functional.instance_norm(normed[:, half:])], 1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.domains = nn.ModuleDict({name: BatchNorm(4) for name in ("photo", "sketch")})
        self.last = InstanceAware(4)
        self.free = BatchNorm(4, affine=False, track_running_stats=False)

    def forward(self, x, domain: str = "photo"):
        if domain not in self.domains:
            domain = "photo"
        return self.free(self.last(self.domains[domain](x)))


def get_inputs():
    return [torch.randn(3, 4, 5, 5)]
