"""What is None for every caller."""
import torch


@torch.compile
def attend(x, mask=None, log=None):
    y = x @ x.T
    if mask is not None:
        y = y.masked_fill(mask, 0)
    if log is not None:
        log.append(y.max().item())
    return y


@torch.compile
def attend_and_log(x, log=None):
    y = x @ x.T
    if log is not None:
        log.append(y.max().item())  # break
    return y


def run():
    attend(torch.rand(3, 4), torch.zeros(3, 3).bool())
    attend_and_log(torch.rand(3, 4), [])
