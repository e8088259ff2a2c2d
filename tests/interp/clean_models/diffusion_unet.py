"""A denoising U-Net: sinusoidal time steps, conditional group norm, attention at some levels, an output dataclass."""

import math
from dataclasses import dataclass
from typing import Optional, Tuple, Union

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class UNetOutput:
    sample: torch.Tensor


def get_timestep_embedding(timesteps: torch.Tensor, dim: int, flip: bool = False, max_period: int = 10000):
    assert len(timesteps.shape) == 1, "Timesteps should be a 1d-array"
    half = dim // 2
    exponent = -math.log(max_period) * torch.arange(half, dtype=torch.float32, device=timesteps.device) / half
    emb = timesteps[:, None].float() * torch.exp(exponent)[None, :]
    emb = torch.cat([torch.sin(emb), torch.cos(emb)], dim=-1)
    if flip:
        emb = torch.cat([emb[:, half:], emb[:, :half]], dim=-1)
    if dim % 2 == 1:
        emb = F.pad(emb, (0, 1, 0, 0))
    return emb


class ResnetBlock(nn.Module):
    def __init__(self, in_channels, out_channels=None, temb_channels=32, time_embedding_norm="scale_shift"):
        super().__init__()
        out_channels = in_channels if out_channels is None else out_channels
        self.time_embedding_norm = time_embedding_norm
        self.norm1 = nn.GroupNorm(4, in_channels)
        self.conv1 = nn.Conv2d(in_channels, out_channels, 3, padding=1)
        scale = 2 if time_embedding_norm == "scale_shift" else 1
        self.time_emb_proj = nn.Linear(temb_channels, scale * out_channels) if temb_channels else None
        self.norm2 = nn.GroupNorm(4, out_channels)
        self.conv2 = nn.Conv2d(out_channels, out_channels, 3, padding=1)
        self.use_in_shortcut = in_channels != out_channels
        self.conv_shortcut = nn.Conv2d(in_channels, out_channels, 1) if self.use_in_shortcut else None

    def forward(self, input_tensor, temb=None):
        hidden = self.conv1(F.silu(self.norm1(input_tensor)))
        if self.time_emb_proj is not None and temb is not None:
            temb = self.time_emb_proj(F.silu(temb))[:, :, None, None]
        hidden = self.norm2(hidden)
        if self.time_embedding_norm == "scale_shift":
            scale, shift = torch.chunk(temb, 2, dim=1)
            hidden = hidden * (1 + scale) + shift
        elif temb is not None:
            hidden = hidden + temb
        hidden = self.conv2(F.silu(hidden))
        if self.conv_shortcut is not None:
            input_tensor = self.conv_shortcut(input_tensor)
        return input_tensor + hidden


class SpatialAttention(nn.Module):
    def __init__(self, channels, heads=2):
        super().__init__()
        self.norm = nn.GroupNorm(4, channels)
        self.attention = nn.MultiheadAttention(channels, heads, batch_first=True)

    def forward(self, x, encoder_hidden_states=None):
        b, c, h, w = x.shape
        tokens = self.norm(x).flatten(2).transpose(1, 2)
        context = encoder_hidden_states if encoder_hidden_states is not None else tokens
        out, _ = self.attention(tokens, context, context, need_weights=False)
        return x + out.transpose(1, 2).reshape(b, c, h, w)


class DownBlock(nn.Module):
    def __init__(self, in_channels, out_channels, layers=2, attention=False, downsample=True):
        super().__init__()
        self.resnets = nn.ModuleList(
            ResnetBlock(in_channels if i == 0 else out_channels, out_channels) for i in range(layers)
        )
        self.attentions = nn.ModuleList(SpatialAttention(out_channels) for _ in range(layers)) if attention else None
        self.downsamplers = nn.ModuleList([nn.Conv2d(out_channels, out_channels, 3, 2, 1)]) if downsample else None

    def forward(self, x, temb, context=None):
        states: Tuple[torch.Tensor, ...] = ()
        for i, resnet in enumerate(self.resnets):
            x = resnet(x, temb)
            if self.attentions is not None:
                x = self.attentions[i](x, context)
            states += (x,)
        if self.downsamplers is not None:
            for downsampler in self.downsamplers:
                x = downsampler(x)
            states = states + (x,)
        return x, states


class Net(nn.Module):
    def __init__(self, channels=(8, 16), in_channels=3, use_linear=False):
        super().__init__()
        self.time_embedding = nn.Sequential(nn.Linear(16, 32), nn.SiLU(), nn.Linear(32, 32))
        self.conv_in = nn.Conv2d(in_channels, channels[0], 3, padding=1)
        self.down_blocks = nn.ModuleList([])
        output = channels[0]
        for i, channel in enumerate(channels):
            final = i == len(channels) - 1
            self.down_blocks.append(DownBlock(output, channel, attention=i > 0, downsample=not final))
            output = channel
        self.mid = ResnetBlock(output)
        self.up_resnets = nn.ModuleList([ResnetBlock(output * 2, output), ResnetBlock(output * 2, channels[0])])
        self.conv_out = nn.Conv2d(channels[0], in_channels, 3, padding=1)

    def forward(
        self,
        sample: torch.Tensor,
        timestep: Union[torch.Tensor, float, int],
        encoder_hidden_states: Optional[torch.Tensor] = None,
        return_dict: bool = True,
    ) -> Union[UNetOutput, Tuple]:
        upsample_size = None
        if any(s % 2 != 0 for s in sample.shape[-2:]):
            upsample_size = sample.shape[-2:]
        timesteps = timestep
        if not torch.is_tensor(timesteps):
            dtype = torch.float64 if isinstance(timestep, float) else torch.int64
            timesteps = torch.tensor([timesteps], dtype=dtype, device=sample.device)
        elif len(timesteps.shape) == 0:
            timesteps = timesteps[None].to(sample.device)
        timesteps = timesteps.expand(sample.shape[0])
        emb = self.time_embedding(get_timestep_embedding(timesteps, 16).to(dtype=sample.dtype))
        sample = self.conv_in(sample)
        residuals = (sample,)
        for block in self.down_blocks:
            sample, res = block(sample, emb, encoder_hidden_states)
            residuals += res
        sample = self.mid(sample, emb)
        for resnet in self.up_resnets:
            skip = residuals[-1]
            residuals = residuals[:-1]
            sample = resnet(torch.cat([sample, skip], dim=1), emb)
        size = upsample_size if upsample_size is not None else [s * 2 for s in sample.shape[2:]]
        sample = self.conv_out(F.interpolate(sample, size=size, mode="nearest"))
        if not return_dict:
            return (sample,)
        return UNetOutput(sample=sample)


def get_inputs():
    return [torch.randn(2, 3, 8, 8), torch.tensor([3, 7])]
