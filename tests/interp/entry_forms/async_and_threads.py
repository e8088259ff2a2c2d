"""The compiled function is handed to an executor."""
from concurrent.futures import ThreadPoolExecutor

import torch


def score(x):
    return x.sum().item()  # break


def plain(x):
    return x.sum().item()


fast = torch.compile(score)


def run():
    fast(torch.rand(4))
    with ThreadPoolExecutor(1) as pool:
        pool.submit(plain, torch.rand(4)).result()
