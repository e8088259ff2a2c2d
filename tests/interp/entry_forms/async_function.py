"""A compiled function is awaited for by an async one."""
import asyncio

import torch


@torch.compile
def score(x):
    return x / x.sum().item()  # break


async def serve(x):
    print("serve", x.sum().item())
    return score(x)


def run():
    asyncio.run(serve(torch.rand(4)))
