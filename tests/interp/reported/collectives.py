import os
import torch
import torch.distributed as dist


@torch.compile
def reduce_async(x):
    h = dist.all_reduce(x, async_op=True)  # BRK618
    y = x.new_ones(3)
    h.wait()  # BRK618
    return x + y


@torch.compile
def reduce_sync(x):
    dist.all_reduce(x)
    return x + 1


@torch.compile
def gather_list(x):
    parts = [torch.empty_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)
    return torch.cat(parts)


@torch.compile
def bcast(x):
    dist.broadcast(x, src=0)  # BRK618
    return x * 2


@torch.compile
def fence(x):
    y = x * 2
    dist.barrier()  # BRK618
    return y + 1


@torch.compile
def scatter_sum(x):
    out = x.new_empty(3)
    dist.reduce_scatter_tensor(out, x)
    return out + 1


@torch.compile
def scattered_list(x):
    out = torch.empty_like(x)
    dist.reduce_scatter(out, [x])  # BRK618
    return out + 1


@torch.compile
def to_root(x):
    dist.reduce(x, dst=0)  # BRK618
    return x + 1


@torch.compile
def swap(x):
    out = [torch.empty_like(x)]
    dist.all_to_all(out, [x])  # BRK618
    return out[0] + 1


@torch.compile
def swap_single(x):
    out = torch.empty_like(x)
    dist.all_to_all_single(out, x)
    return out + 1


@torch.compile
def ranks(x):
    g = dist.group.WORLD
    return x * dist.get_rank(g) + dist.get_world_size(g)


def run():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29733")
    if not dist.is_initialized():
        dist.init_process_group("gloo", rank=0, world_size=1)
    outs = []
    for f in (reduce_async, reduce_sync, gather_list, bcast, fence, scatter_sum, scattered_list, to_root, swap, swap_single, ranks):
        try:
            outs.append(f(torch.ones(3)))
        except Exception as e:
            print(getattr(f, "__name__", f), "RAISED", type(e).__name__, str(e)[:120])
            outs.append(None)
    return outs
