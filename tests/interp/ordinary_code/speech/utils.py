from __future__ import annotations

import logging
import typing as tp

import torch

logger = logging.getLogger("speech")


def lengths_to_mask(lengths: torch.Tensor, max_len: tp.Optional[int] = None) -> torch.Tensor:
    """True where a frame is real."""
    max_len = lengths.max().item() if max_len is None else max_len
    return torch.arange(max_len, device=lengths.device)[None, :] < lengths[:, None]


def chunk_mask(size: int, chunk: int, left: int = -1) -> torch.Tensor:
    mask = torch.zeros(size, size, dtype=torch.bool)
    for i in range(size):
        start = 0 if left < 0 else max((i // chunk - left) * chunk, 0)
        stop = min((i // chunk + 1) * chunk, size)
        mask[i, start:stop] = True
    return mask


def collapse(ids: tp.Iterable[int], blank: int = 0) -> list[int]:
    out, last = [], None
    for i in ids:
        if i != last and i != blank:
            out.append(i)
        last = i
    return out


def pad_list(xs: list[torch.Tensor], value: float) -> torch.Tensor:
    n = max(x.size(0) for x in xs)
    out = xs[0].new_full((len(xs), n), value)
    for i, x in enumerate(xs):
        out[i, : x.size(0)] = x
    return out


def add_sos_eos(ys_pad, sos, eos, ignore=-1):
    ys = [y[y != ignore] for y in ys_pad]
    s = torch.tensor([sos], dtype=torch.long)
    e = torch.tensor([eos], dtype=torch.long)
    return pad_list([torch.cat([s, y]) for y in ys], eos), pad_list([torch.cat([y, e]) for y in ys], ignore)


def accuracy(logits: torch.Tensor, target: torch.Tensor, ignore: int = -1) -> float:
    pred = logits.argmax(-1)
    mask = target != ignore
    right = (pred.masked_select(mask) == target.masked_select(mask)).sum()
    return float(right) / float(mask.sum())
