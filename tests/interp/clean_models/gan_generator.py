"""A style-based generator: mapping network, modulated convolution, injected noise."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class PixelNorm(nn.Module):
    def forward(self, input):
        return input * torch.rsqrt(torch.mean(input**2, dim=1, keepdim=True) + 1e-8)


class EqualLinear(nn.Module):
    def __init__(self, in_dim, out_dim, bias=True, bias_init=0, lr_mul=1, activation=None):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(out_dim, in_dim).div_(lr_mul))
        if bias:
            self.bias = nn.Parameter(torch.zeros(out_dim).fill_(bias_init))
        else:
            self.bias = None
        self.activation = activation
        self.scale = (1 / math.sqrt(in_dim)) * lr_mul
        self.lr_mul = lr_mul

    def forward(self, input):
        if self.activation:
            out = F.linear(input, self.weight * self.scale)
            out = F.leaky_relu(out + self.bias * self.lr_mul, 0.2) * math.sqrt(2)
        else:
            out = F.linear(input, self.weight * self.scale, bias=self.bias * self.lr_mul)
        return out

    def __repr__(self):
        return f"{self.__class__.__name__}({self.weight.shape[1]}, {self.weight.shape[0]})"


class ModulatedConv2d(nn.Module):
    def __init__(self, in_channel, out_channel, kernel_size, style_dim, demodulate=True, upsample=False):
        super().__init__()
        self.eps = 1e-8
        self.kernel_size, self.in_channel, self.out_channel = kernel_size, in_channel, out_channel
        self.upsample = upsample
        self.scale = 1 / math.sqrt(in_channel * kernel_size**2)
        self.padding = kernel_size // 2
        self.weight = nn.Parameter(torch.randn(1, out_channel, in_channel, kernel_size, kernel_size))
        self.modulation = EqualLinear(style_dim, in_channel, bias_init=1)
        self.demodulate = demodulate

    def forward(self, input, style):
        batch, in_channel, height, width = input.shape
        style = self.modulation(style).view(batch, 1, in_channel, 1, 1)
        weight = self.scale * self.weight * style
        if self.demodulate:
            demod = torch.rsqrt(weight.pow(2).sum([2, 3, 4]) + self.eps)
            weight = weight * demod.view(batch, self.out_channel, 1, 1, 1)
        weight = weight.view(batch * self.out_channel, in_channel, self.kernel_size, self.kernel_size)
        if self.upsample:
            input = F.interpolate(input, scale_factor=2)
            _, _, height, width = input.shape
        input = input.reshape(1, batch * in_channel, height, width)
        out = F.conv2d(input, weight, padding=self.padding, groups=batch)
        _, _, height, width = out.shape
        return out.view(batch, self.out_channel, height, width)


class NoiseInjection(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(1))

    def forward(self, image, noise=None):
        if noise is None:
            batch, _, height, width = image.shape
            noise = image.new_empty(batch, 1, height, width).normal_()
        return image + self.weight * noise


class Net(nn.Module):
    def __init__(self, size=16, style_dim=16, n_mlp=2):
        super().__init__()
        self.log_size = int(math.log(size, 2))
        self.channels = {4: 16, 8: 16, 16: 8}
        self.style = nn.Sequential(PixelNorm(), *[EqualLinear(style_dim, style_dim, activation="lrelu") for _ in range(n_mlp)])
        self.input = nn.Parameter(torch.randn(1, self.channels[4], 4, 4))
        self.convs, self.to_rgbs, self.noises = nn.ModuleList(), nn.ModuleList(), nn.Module()
        in_channel = self.channels[4]
        for i in range(3, self.log_size + 1):
            out_channel = self.channels[2**i]
            self.convs.append(ModulatedConv2d(in_channel, out_channel, 3, style_dim, upsample=True))
            self.to_rgbs.append(ModulatedConv2d(out_channel, 3, 1, style_dim, demodulate=False))
            self.noises.register_buffer(f"noise_{i - 3}", torch.randn(1, 1, 2**i, 2**i))
            in_channel = out_channel
        self.inject = NoiseInjection()
        self.n_latent = self.log_size * 2 - 2

    def forward(self, styles, noise=None, randomize_noise=True, truncation=1, truncation_latent=None, input_is_latent=False):
        if not input_is_latent:
            styles = self.style(styles)
        if noise is None:
            if randomize_noise:
                noise = [None] * len(self.convs)
            else:
                noise = [getattr(self.noises, f"noise_{i}") for i in range(len(self.convs))]
        if truncation < 1:
            styles = truncation_latent + truncation * (styles - truncation_latent)
        latent = styles.unsqueeze(1).repeat(1, self.n_latent, 1) if styles.ndim < 3 else styles
        out = self.input.repeat(latent.shape[0], 1, 1, 1)
        skip, i = None, 1
        for conv, to_rgb, level in zip(self.convs, self.to_rgbs, noise):
            out = F.leaky_relu(self.inject(conv(out, latent[:, i]), noise=level), 0.2)
            rgb = to_rgb(out, latent[:, i + 1])
            skip = rgb if skip is None else F.interpolate(skip, scale_factor=2) + rgb
            i += 2
        return torch.tanh(skip)


def get_inputs():
    return [torch.randn(2, 16)]
