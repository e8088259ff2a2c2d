"""A student and its exponential moving average: buffers updated in place, a vector quantiser, a negatives queue."""

import torch
import torch.nn.functional as F
from torch import nn


class VectorQuantizer(nn.Module):
    def __init__(self, codes=8, dim=4, decay=0.99, eps=1e-5):
        super().__init__()
        self.codes, self.decay, self.eps = codes, decay, eps
        self.register_buffer("embed", torch.randn(dim, codes))
        self.register_buffer("cluster_size", torch.zeros(codes))
        self.register_buffer("embed_avg", self.embed.clone())

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        distance = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ self.embed + self.embed.pow(2).sum(0, keepdim=True)
        _, index = (-distance).max(1)
        onehot = F.one_hot(index, self.codes).type(flat.dtype)
        index = index.view(*x.shape[:-1])
        quantized = F.embedding(index, self.embed.transpose(0, 1))
        if self.training:
            self.cluster_size.data.mul_(self.decay).add_(onehot.sum(0), alpha=1 - self.decay)
            self.embed_avg.mul_(self.decay).add_((flat.transpose(0, 1) @ onehot).detach(), alpha=1 - self.decay)
            n = self.cluster_size.sum()
            size = (self.cluster_size + self.eps) / (n + self.codes * self.eps) * n
            self.embed.copy_(self.embed_avg / size.unsqueeze(0))
        diff = (quantized.detach() - x).pow(2).mean()
        return x + (quantized - x).detach(), diff, index


class Net(nn.Module):
    def __init__(self, dim=8, momentum=0.996, queue=16):
        super().__init__()
        self.momentum = momentum
        self.student = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, 4))
        self.teacher = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, 4))
        for source, target in zip(self.student.parameters(), self.teacher.parameters()):
            target.data.copy_(source.data)
            target.requires_grad = False
        self.quantizer = VectorQuantizer()
        self.register_buffer("queue", F.normalize(torch.randn(4, queue), dim=0))
        self.register_buffer("center", torch.zeros(1, 4))

    @torch.no_grad()
    def _momentum_update(self):
        for param_q, param_k in zip(self.student.parameters(), self.teacher.parameters()):
            param_k.mul_(self.momentum).add_(param_q.detach(), alpha=1.0 - self.momentum)

    @torch.no_grad()
    def _enqueue(self, keys):
        self.queue.copy_(torch.cat([keys.T, self.queue[:, : -keys.shape[0]]], dim=1))
        self.center.mul_(0.9).add_(keys.mean(dim=0, keepdim=True), alpha=0.1)

    def forward(self, x):
        q = F.normalize(self.student(x), dim=1)
        with torch.no_grad():
            if self.training:
                self._momentum_update()
            k = F.normalize(self.teacher(x), dim=1)
        positive = torch.einsum("nc,nc->n", [q, k]).unsqueeze(-1)
        negative = torch.einsum("nc,ck->nk", [q, self.queue.clone().detach()])
        logits = torch.cat([positive, negative], dim=1) / 0.07
        labels = torch.zeros(logits.shape[0], dtype=torch.long, device=logits.device)
        loss = F.cross_entropy(logits, labels)
        quantized, diff, _ = self.quantizer(q)
        if self.training:
            self._enqueue(k)
        return loss + 0.25 * diff, quantized


def get_inputs():
    return [torch.randn(4, 8)]
