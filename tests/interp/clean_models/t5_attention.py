"""Attention with bucketed relative positions, an extended mask, head mask, and optional cross attention."""

import math

import torch
from torch import nn


class Config:
    def __init__(self, d_model=32, num_heads=4, is_decoder=False, buckets=8, max_distance=20, **kwargs):
        self.d_model = d_model
        self.num_heads = num_heads
        self.is_decoder = is_decoder
        self.relative_attention_num_buckets = buckets
        self.relative_attention_max_distance = max_distance
        self.output_attentions = kwargs.pop("output_attentions", False)
        self.dropout_rate = kwargs.pop("dropout_rate", 0.1)
        for key, value in kwargs.items():
            setattr(self, key, value)


class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden_size))
        self.variance_epsilon = eps

    def forward(self, hidden_states):
        variance = hidden_states.to(torch.float32).pow(2).mean(-1, keepdim=True)
        hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        if self.weight.dtype in [torch.float16, torch.bfloat16]:
            hidden_states = hidden_states.to(self.weight.dtype)
        return self.weight * hidden_states


class Attention(nn.Module):
    def __init__(self, config, has_relative_attention_bias=False):
        super().__init__()
        self.config = config
        self.is_decoder = config.is_decoder
        self.n_heads = config.num_heads
        self.d_kv = config.d_model // config.num_heads
        self.has_relative_attention_bias = has_relative_attention_bias
        self.dropout = config.dropout_rate
        self.gradient_checkpointing = False
        for name in "qkvo":
            setattr(self, name, nn.Linear(config.d_model, config.d_model, bias=False))
        if self.has_relative_attention_bias:
            self.relative_attention_bias = nn.Embedding(config.relative_attention_num_buckets, self.n_heads)

    @staticmethod
    def _relative_position_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        relative_buckets = 0
        if bidirectional:
            num_buckets //= 2
            relative_buckets += (relative_position > 0).to(torch.long) * num_buckets
            relative_position = torch.abs(relative_position)
        else:
            relative_position = -torch.min(relative_position, torch.zeros_like(relative_position))
        max_exact = num_buckets // 2
        is_small = relative_position < max_exact
        large = max_exact + (
            torch.log(relative_position.float() / max_exact)
            / math.log(max_distance / max_exact)
            * (num_buckets - max_exact)
        ).to(torch.long)
        large = torch.min(large, torch.full_like(large, num_buckets - 1))
        relative_buckets += torch.where(is_small, relative_position, large)
        return relative_buckets

    def compute_bias(self, query_length, key_length, device=None):
        if device is None:
            device = self.relative_attention_bias.weight.device
        context = torch.arange(query_length, dtype=torch.long, device=device)[:, None]
        memory = torch.arange(key_length, dtype=torch.long, device=device)[None, :]
        bucket = self._relative_position_bucket(
            memory - context,
            bidirectional=(not self.is_decoder),
            num_buckets=self.config.relative_attention_num_buckets,
            max_distance=self.config.relative_attention_max_distance,
        )
        return self.relative_attention_bias(bucket).permute([2, 0, 1]).unsqueeze(0)

    def forward(
        self, hidden_states, mask=None, key_value_states=None, position_bias=None, layer_head_mask=None,
        output_attentions=False,
    ):
        batch_size, seq_length = hidden_states.shape[:2]
        is_cross_attention = key_value_states is not None
        current = key_value_states if is_cross_attention else hidden_states

        def shape(states):
            return states.view(batch_size, -1, self.n_heads, self.d_kv).transpose(1, 2)

        query, key, value = shape(self.q(hidden_states)), shape(self.k(current)), shape(self.v(current))
        scores = torch.matmul(query, key.transpose(3, 2))
        if position_bias is None:
            key_length = key.shape[-2]
            if not self.has_relative_attention_bias:
                position_bias = torch.zeros(
                    (1, self.n_heads, seq_length, key_length), device=scores.device, dtype=scores.dtype
                )
                if self.gradient_checkpointing and self.training:
                    position_bias.requires_grad = True
            else:
                position_bias = self.compute_bias(seq_length, key_length, device=scores.device)
            if mask is not None:
                position_bias = position_bias + mask[:, :, :, : key.shape[-2]]
        scores += position_bias
        attn_weights = nn.functional.softmax(scores.float(), dim=-1).type_as(scores)
        attn_weights = nn.functional.dropout(attn_weights, p=self.dropout, training=self.training)
        if layer_head_mask is not None:
            attn_weights = attn_weights * layer_head_mask
        out = torch.matmul(attn_weights, value).transpose(1, 2).contiguous().view(batch_size, -1, self.config.d_model)
        outputs = (self.o(out), position_bias)
        if output_attentions:
            outputs = outputs + (attn_weights,)
        return outputs


class Net(nn.Module):
    def __init__(self, config=None):
        super().__init__()
        self.config = config or Config()
        self.layers = nn.ModuleList([Attention(self.config, has_relative_attention_bias=i == 0) for i in range(2)])
        self.norms = nn.ModuleList([LayerNorm(self.config.d_model) for _ in range(2)])

    def get_extended_attention_mask(self, attention_mask, input_shape, dtype):
        if attention_mask.dim() == 3:
            extended = attention_mask[:, None, :, :]
        elif attention_mask.dim() == 2:
            extended = attention_mask[:, None, None, :]
        else:
            raise ValueError(f"Wrong shape for input_ids (shape {input_shape}) or mask (shape {attention_mask.shape})")
        return (1.0 - extended.to(dtype=dtype)) * torch.finfo(dtype).min

    def get_head_mask(self, head_mask, layers):
        if head_mask is None:
            return [None] * layers
        if head_mask.dim() == 1:
            head_mask = head_mask.unsqueeze(0).unsqueeze(0).unsqueeze(-1).unsqueeze(-1).expand(layers, -1, -1, -1, -1)
        assert head_mask.dim() == 5, f"head_mask.dim != 5, instead {head_mask.dim()}"
        return head_mask

    def forward(self, inputs_embeds, attention_mask=None, head_mask=None, output_attentions=None, return_dict=None):
        output_attentions = output_attentions if output_attentions is not None else self.config.output_attentions
        input_shape = inputs_embeds.size()[:-1]
        if attention_mask is None:
            attention_mask = torch.ones(input_shape, device=inputs_embeds.device)
        mask = self.get_extended_attention_mask(attention_mask, input_shape, inputs_embeds.dtype)
        head_mask = self.get_head_mask(head_mask, len(self.layers))
        all_attentions = () if output_attentions else None
        position_bias = None
        hidden = inputs_embeds
        for i, (layer, norm) in enumerate(zip(self.layers, self.norms)):
            outputs = layer(norm(hidden), mask, None, position_bias, head_mask[i], output_attentions)
            hidden, position_bias = hidden + outputs[0], outputs[1]
            if output_attentions:
                all_attentions = all_attentions + (outputs[2],)
            if hidden.dtype == torch.float16:
                clamp_value = torch.finfo(hidden.dtype).max - 1000
                hidden = torch.clamp(hidden, min=-clamp_value, max=clamp_value)
        return tuple(v for v in [hidden, all_attentions] if v is not None)


def get_inputs():
    return [torch.randn(2, 6, 32), torch.ones(2, 6, dtype=torch.long)]
