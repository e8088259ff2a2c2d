"""How far processes with one and the same compiled model are apart on a GPU, on all cores and on one.

    python benchmarks/verify/cores.py --out benchmarks/results/cores-h200.json

Processes are forked from one that has imported torch, as verify forks its arms, and timed in turn.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import platform
import socket
import time
from pathlib import Path
from statistics import median
from typing import Any

os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"  # else torch asks CUDA, which does not survive a fork
import torch

PROCESSES, ROUNDS, SAMPLE_S = 6, 30, 0.01
WIDTH, LAYERS = 128, 12
REQUEST = 64  # bytes


class Block(torch.nn.Module):
    """A layer of a transformer, with a graph break or without."""

    def __init__(self, breaks: bool) -> None:
        super().__init__()
        self.norm, self.breaks = torch.nn.LayerNorm(WIDTH), breaks
        self.q, self.k, self.out = (torch.nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.up, self.down = torch.nn.Linear(WIDTH, 4 * WIDTH), torch.nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The layer applied to x of shape (batch, length, WIDTH)."""
        h = self.norm(x)
        if self.breaks:
            torch._dynamo.graph_break()
        x = x + self.out(torch.softmax(self.q(h) @ self.k(h).transpose(-1, -2) / 8, -1) @ h)
        return x + self.down(torch.relu(self.up(x)))


def serve(channel: socket.socket, breaks: bool) -> None:
    """Compile the model, then answer requests: one for a sample, or the cores to run on."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(*(Block(breaks) for _ in range(LAYERS))).cuda().eval()
    x, call = torch.randn(1, 16, WIDTH, device="cuda"), torch.compile(model)
    with torch.no_grad():
        for _ in range(5):
            call(x)
        torch.cuda.synchronize()
        gc.collect()
        gc.freeze()
        channel.sendall(b"ready".ljust(REQUEST))
        while request := channel.recv(REQUEST, socket.MSG_WAITALL).strip():
            answer = sampled(call, x) if request == b"sample" else os.sched_setaffinity(0, json.loads(request))
            channel.sendall(json.dumps(answer).encode().ljust(REQUEST))


def sampled(call: Any, x: torch.Tensor) -> float:
    """Milliseconds a call, queued for `SAMPLE_S` seconds and waited for together."""
    gc.collect()
    gc.disable()
    torch.cuda.synchronize()
    started, calls = time.perf_counter(), 0
    while time.perf_counter() - started < SAMPLE_S:
        call(x)
        calls += 1
    torch.cuda.synchronize()
    gc.enable()
    return 1000 * (time.perf_counter() - started) / calls


class Process:
    """A process with the compiled model, and requests to it."""

    def __init__(self, breaks: bool) -> None:
        self._channel, theirs = socket.socketpair()
        self._pid = os.fork()
        if not self._pid:
            self._channel.close()
            try:
                serve(theirs, breaks)
            finally:
                os._exit(0)
        theirs.close()

    def answer(self) -> Any:
        """Its next answer; None when it is ready for requests."""
        told = self._channel.recv(REQUEST, socket.MSG_WAITALL).strip()
        return None if told == b"ready" else json.loads(told)

    def ask(self, request: bytes) -> Any:
        """The answer to a request: `sample`, or a list of cores."""
        self._channel.sendall(request.ljust(REQUEST))
        return self.answer()

    def close(self) -> None:
        """End it."""
        self._channel.close()
        os.waitpid(self._pid, 0)


def measured(cores: list[int], breaks: bool) -> dict[str, Any]:
    """Samples in ms of every process, by where they ran."""
    processes = [Process(breaks) for _ in range(PROCESSES)]
    for process in processes:
        process.answer()
    samples: dict[str, list[list[float]]] = {}
    for name, places in (("all", cores), ("one", cores[-1:]), ("two", cores[-2:]), ("all again", cores)):
        for process in processes:
            process.ask(json.dumps(places).encode())
        rows: list[list[float]] = [[] for _ in processes]
        for turn in range(ROUNDS):
            for index in range(PROCESSES):
                which = (turn + index) % PROCESSES
                rows[which].append(processes[which].ask(b"sample"))
        samples[name] = rows
        medians = [median(row) for row in rows]
        print(f"{name:10} ms: {' '.join(f'{each:.3f}' for each in medians)}  {max(medians) / min(medians):.3f} apart")
    for process in processes:
        process.close()
    return {"breaks": LAYERS if breaks else 0, "samples_ms": samples}


def main() -> None:
    """Measure models with and without breaks, and write all samples."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    for module in ("compile_fx", "codegen.cpp", "codegen.triton"):
        importlib.import_module(f"torch._inductor.{module}")
    cores = sorted(os.sched_getaffinity(0))
    rows = [measured(cores, breaks) for _ in range(2) for breaks in (False, True)]
    environment = {"torch": torch.__version__, "python": platform.python_version(), "cores": len(cores)}
    environment["device"] = torch.cuda.get_device_name()
    options.out.write_text(json.dumps({"environment": environment, "models": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
