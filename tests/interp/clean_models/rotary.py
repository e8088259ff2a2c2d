"""A decoder with rotary embeddings, grouped queries and RMS norm, its layers in a plain loop."""

from typing import Optional, Tuple

import torch
import torch.nn as nn


def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin, position_ids=None, unsqueeze_dim=1):
    cos = cos.unsqueeze(unsqueeze_dim)
    sin = sin.unsqueeze(unsqueeze_dim)
    return (q * cos) + (rotate_half(q) * sin), (k * cos) + (rotate_half(k) * sin)


def repeat_kv(hidden_states: torch.Tensor, n_rep: int) -> torch.Tensor:
    batch, heads, slen, head_dim = hidden_states.shape
    if n_rep == 1:
        return hidden_states
    hidden_states = hidden_states[:, :, None, :, :].expand(batch, heads, n_rep, slen, head_dim)
    return hidden_states.reshape(batch, heads * n_rep, slen, head_dim)


class RotaryEmbedding(nn.Module):
    def __init__(self, dim, base=10000, scaling_type: Optional[str] = None):
        super().__init__()
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2, dtype=torch.int64).float() / dim))
        self.register_buffer("inv_freq", inv_freq, persistent=False)
        self.scaling_type = scaling_type
        self.attention_scaling = 1.0

    @torch.no_grad()
    def forward(self, x, position_ids):
        if self.scaling_type is not None and "dynamic" in self.scaling_type:
            raise NotImplementedError(self.scaling_type)
        inv_freq = self.inv_freq[None, :, None].float().expand(position_ids.shape[0], -1, 1)
        positions = position_ids[:, None, :].float()
        device_type = x.device.type
        device_type = device_type if isinstance(device_type, str) and device_type != "mps" else "cpu"
        with torch.autocast(device_type=device_type, enabled=False):
            freqs = (inv_freq.float() @ positions.float()).transpose(1, 2)
            emb = torch.cat((freqs, freqs), dim=-1)
            cos, sin = emb.cos() * self.attention_scaling, emb.sin() * self.attention_scaling
        return cos.to(dtype=x.dtype), sin.to(dtype=x.dtype)


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.eps = eps

    def forward(self, x):
        dtype = x.dtype
        x = x.float()
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)).to(dtype)

    def extra_repr(self):
        return f"{tuple(self.weight.shape)}, eps={self.eps}"


class DecoderLayer(nn.Module):
    def __init__(self, hidden_size, heads, kv_heads, layer_idx):
        super().__init__()
        self.layer_idx = layer_idx
        self.head_dim = hidden_size // heads
        self.groups = heads // kv_heads
        self.q_proj = nn.Linear(hidden_size, heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(heads * self.head_dim, hidden_size, bias=False)
        self.norm = RMSNorm(hidden_size)

    def forward(
        self,
        hidden_states: torch.Tensor,
        position_embeddings: Tuple[torch.Tensor, torch.Tensor],
        attention_mask: Optional[torch.Tensor] = None,
        output_attentions: Optional[bool] = False,
        **kwargs,
    ):
        residual = hidden_states
        hidden_states = self.norm(hidden_states)
        input_shape = hidden_states.shape[:-1]
        hidden_shape = (*input_shape, -1, self.head_dim)
        q = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        k = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        v = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        cos, sin = position_embeddings
        q, k = apply_rotary_pos_emb(q, k, cos, sin)
        k, v = repeat_kv(k, self.groups), repeat_kv(v, self.groups)
        is_causal = True if attention_mask is None and q.shape[2] > 1 else False
        out = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=attention_mask, is_causal=is_causal)
        out = out.transpose(1, 2).contiguous().reshape(*input_shape, -1)
        outputs = (residual + self.o_proj(out),)
        if output_attentions:
            outputs += (None,)
        return outputs


class Net(nn.Module):
    def __init__(self, vocab=50, hidden_size=32, heads=4, kv_heads=2, layers=2):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab, hidden_size)
        self.layers = nn.ModuleList([DecoderLayer(hidden_size, heads, kv_heads, i) for i in range(layers)])
        self.rotary_emb = RotaryEmbedding(hidden_size // heads)
        self.norm = RMSNorm(hidden_size)
        self.lm_head = nn.Linear(hidden_size, vocab, bias=False)

    def forward(
        self,
        input_ids: Optional[torch.LongTensor] = None,
        attention_mask: Optional[torch.Tensor] = None,
        position_ids: Optional[torch.LongTensor] = None,
        inputs_embeds: Optional[torch.FloatTensor] = None,
        labels: Optional[torch.LongTensor] = None,
        logits_to_keep: int = 0,
        **kwargs,
    ):
        if (input_ids is None) ^ (inputs_embeds is not None):
            raise ValueError("You must specify exactly one of input_ids or inputs_embeds")
        if inputs_embeds is None:
            inputs_embeds = self.embed_tokens(input_ids)
        if position_ids is None:
            position_ids = torch.arange(inputs_embeds.shape[1], device=inputs_embeds.device).unsqueeze(0)
        causal = None
        if attention_mask is not None:
            length = inputs_embeds.shape[1]
            causal = torch.full((length, length), torch.finfo(inputs_embeds.dtype).min, device=inputs_embeds.device)
            causal = torch.triu(causal, diagonal=1)[None, None].expand(inputs_embeds.shape[0], 1, -1, -1).clone()
            padding = (causal == 0) & (attention_mask[:, None, None, :] == 0)
            causal = causal.masked_fill(padding, torch.finfo(inputs_embeds.dtype).min)
        hidden = inputs_embeds
        position_embeddings = self.rotary_emb(hidden, position_ids)
        for decoder_layer in self.layers:
            hidden = decoder_layer(hidden, position_embeddings, attention_mask=causal, **kwargs)[0]
        slice_indices = slice(-logits_to_keep, None) if isinstance(logits_to_keep, int) else logits_to_keep
        logits = self.lm_head(self.norm(hidden)[:, slice_indices, :])
        loss = None
        if labels is not None:
            loss = nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())
        return {"loss": loss, "logits": logits}


def get_inputs():
    return [torch.randint(0, 50, (2, 6)), torch.ones(2, 6, dtype=torch.long)]
