import math
import torch


@torch.compile
def a_log(x):
    return x * math.log(x.shape[1])  # BRK502


@torch.compile
def b_log2(x):
    return x * math.log2(x.shape[1])


@torch.compile
def c_ceil(x):
    return x * (2 ** math.ceil(math.log2(x.shape[1])))


@torch.compile
def d_sqrt(x):
    return x * math.sqrt(x.shape[1])


@torch.compile
def e_log10(x):
    return x * math.log10(x.shape[1])  # BRK502


@torch.compile
def f_bits(x):
    return x * (x.shape[1] - 1).bit_length()  # BRK502


@torch.compile
def g_isqrt(x):
    return x * math.isqrt(x.shape[1])  # BRK659


@torch.compile
def h_checked(x, leaf=2):
    leaf = x.shape[0] if leaf else 0.5
    if type(leaf) is float and math.isnan(leaf):
        return x
    return x * leaf


def run():
    return [f(torch.ones(1, n)) for f in (a_log, b_log2, c_ceil, d_sqrt, e_log10, f_bits, g_isqrt) for n in (5, 6, 7, 9, 11)]
