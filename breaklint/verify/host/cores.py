"""The cores on which arms are timed: one for each GPU that nothing else of this run uses, or the same for all arms.

One thread feeds a GPU, and its speed depends on its core: on an H200 host with 16 cores, processes with the same model
were up to 1.75 times apart if the system placed them, and 1.01 to 1.05 times on one core.
"""

from __future__ import annotations

import os
import random
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path

FEWEST = 4
"""With fewer cores for each device, none is reserved."""
AUTOGRAD = "pt_autograd"
"""How the names of torch's threads begin that run a backward pass."""


@contextmanager
def reserved_cores(devices: Sequence[str | None]) -> Iterator[list[int | None]]:
    """A core for each GPU, on which nothing that is started inside runs by itself; None if none can be spared.

    They are the last ones, on Linux only, that no other run of breaklint has taken.
    """
    count = sum(map(is_gpu, devices))
    usable = sorted(os.sched_getaffinity(0)) if count and hasattr(os, "sched_getaffinity") else []
    with ExitStack() as claims:
        cores = _claim_last(usable, count, claims)
        others = set(usable).difference(*map(siblings, cores))
        if len(others) < len(usable) / 2:
            cores = []
        elif cores:
            os.sched_setaffinity(0, others)
            claims.callback(os.sched_setaffinity, 0, usable)
        free = iter(cores)
        yield [next(free, None) if is_gpu(device) else None for device in devices]


def random_cores(threads: int, draw: random.Random) -> set[int]:
    """As many cores as there are threads, with their hyperthreads; none if all are needed.

    The system does not move a process: one on a slow core would be slow in every sample.
    """
    usable = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()
    whole = sorted({min(siblings(core) & usable) for core in usable})
    chosen = draw.sample(whole, threads) if threads < len(whole) else []
    return usable & set[int]().union(*map(siblings, chosen))


def move(pid: int, cores: set[int], feeding: bool = False) -> None:
    """Run the threads of a process on these cores alone; of one that is `feeding` a GPU, the main one and those of
    backward passes."""
    with suppress(OSError):  # the process has ended, or is another user's
        for thread in Path(f"/proc/{pid}/task").iterdir():
            if not feeding or int(thread.name) == pid or _runs_backward(thread):
                os.sched_setaffinity(int(thread.name), cores)


@cache
def siblings(core: int) -> set[int]:
    """The core and its hyperthreads, as reported by Linux."""
    try:
        text = Path(f"/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list").read_text(encoding="ascii")
        ends = [[int(end) for end in span.split("-")] for span in text.strip().split(",")]
    except (OSError, ValueError):
        return {core}
    return {core}.union(*(range(span[0], span[-1] + 1) for span in ends))


def is_gpu(device: str | None) -> bool:
    """Whether a device is a GPU; None is one if the machine has one."""
    return device.startswith("cuda") if device else Path("/dev/nvidiactl").exists()


def _claim_last(usable: Sequence[int], count: int, claims: ExitStack) -> list[int]:
    """The last cores that no process has claimed, if there are `FEWEST` for each."""
    cores = list[int]()
    for core in reversed(usable[-(len(usable) // FEWEST) :] if count * FEWEST <= len(usable) else ()):
        if len(cores) < count and not any(core in siblings(other) for other in cores) and _claim(core, claims):
            cores.append(core)
    return cores if len(cores) == count else []


def _claim(core: int, claims: ExitStack) -> bool:
    """Take a name that only one process of the machine can have, and loses when it ends."""
    name = claims.enter_context(socket.socket(socket.AF_UNIX))
    try:
        name.bind(f"\0breaklint/core/{core}")
    except OSError:
        return False
    return True


def _runs_backward(thread: Path) -> bool:
    return (thread / "comm").read_text(errors="replace").startswith(AUTOGRAD)
