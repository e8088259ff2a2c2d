"""An encoder-decoder transformer without recurrence: padding mask from token ids, causal mask, tied embedding."""

import copy
import math
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Config:
    vocab_size: int = 50
    d_model: int = 32
    heads: int = 4
    layers: int = 2
    pad_token_id: int = 0
    max_len: int = 64
    tie: bool = True
    label_smoothing: float = 0.1


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).unsqueeze(1).float()
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * -(math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0), persistent=False)

    def forward(self, x):
        if x.size(1) > self.pe.size(1):
            raise ValueError(f"sequence of {x.size(1)} is longer than {self.pe.size(1)}")
        return x + self.pe[:, : x.size(1)].to(dtype=x.dtype, device=x.device)


def attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn


class MultiHeadedAttention(nn.Module):
    def __init__(self, h, d_model, dropout=0.1):
        super().__init__()
        self.d_k = d_model // h
        self.h = h
        self.linears = nn.ModuleList([copy.deepcopy(nn.Linear(d_model, d_model)) for _ in range(4)])
        self.attn = None
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, query, key, value, mask=None):
        if mask is not None:
            mask = mask.unsqueeze(1)
        nbatches = query.size(0)
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin, x in zip(self.linears, (query, key, value))
        ]
        x, self.attn = attention(query, key, value, mask=mask, dropout=self.dropout)
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.linears[-1](x)


class SublayerConnection(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.norm = nn.LayerNorm(size)

    def forward(self, x, sublayer):
        return x + sublayer(self.norm(x))


class Layer(nn.Module):
    def __init__(self, config, cross):
        super().__init__()
        self.self_attn = MultiHeadedAttention(config.heads, config.d_model)
        self.src_attn = MultiHeadedAttention(config.heads, config.d_model) if cross else None
        self.feed_forward = nn.Sequential(nn.Linear(config.d_model, 64), nn.ReLU(), nn.Linear(64, config.d_model))
        self.sublayer = nn.ModuleList([SublayerConnection(config.d_model) for _ in range(3)])

    def forward(self, x, mask, memory=None, memory_mask=None):
        x = self.sublayer[0](x, lambda x: self.self_attn(x, x, x, mask))
        if memory is not None and self.src_attn is not None:
            x = self.sublayer[1](x, lambda x: self.src_attn(x, memory, memory, memory_mask))
        return self.sublayer[2](x, self.feed_forward)


def subsequent_mask(size, device):
    return torch.triu(torch.ones(1, size, size, device=device), diagonal=1).type(torch.uint8) == 0


class Net(nn.Module):
    def __init__(self, config=None):
        super().__init__()
        self.config = config = config or Config()
        self.embed = nn.Embedding(config.vocab_size, config.d_model, padding_idx=config.pad_token_id)
        self.position = PositionalEncoding(config.d_model, config.max_len)
        self.encoder = nn.ModuleList(Layer(config, cross=False) for _ in range(config.layers))
        self.decoder = nn.ModuleList(Layer(config, cross=True) for _ in range(config.layers))
        self.generator = nn.Linear(config.d_model, config.vocab_size, bias=not config.tie)
        if config.tie:
            self.generator.weight = self.embed.weight
        self.criterion = nn.CrossEntropyLoss(ignore_index=config.pad_token_id, label_smoothing=config.label_smoothing)

    def encode(self, src, mask):
        x = self.position(self.embed(src) * math.sqrt(self.config.d_model))
        for layer in self.encoder:
            x = layer(x, mask)
        return x

    def forward(self, src, tgt, labels=None):
        src_mask = (src != self.config.pad_token_id).unsqueeze(-2)
        tgt_mask = (tgt != self.config.pad_token_id).unsqueeze(-2) & subsequent_mask(tgt.size(-1), tgt.device)
        memory = self.encode(src, src_mask)
        x = self.position(self.embed(tgt) * math.sqrt(self.config.d_model))
        for layer in self.decoder:
            x = layer(x, tgt_mask, memory=memory, memory_mask=src_mask)
        logits = self.generator(x)
        loss = None
        if labels is not None:
            loss = self.criterion(logits.view(-1, logits.size(-1)), labels.reshape(-1))
        return (loss, logits) if loss is not None else logits


def get_inputs():
    return [torch.randint(1, 50, (2, 7)), torch.randint(1, 50, (2, 5)), torch.randint(1, 50, (2, 5))]
