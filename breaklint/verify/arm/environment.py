"""The machine an arm runs on, as reports name it."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch


def describe(device: str) -> dict[str, Any]:
    """Versions and hardware that a measurement on `device` depends on; nothing is imported for it."""
    on_cuda = device.startswith("cuda")
    return {
        "torch": torch.__version__,
        "triton": _triton() if on_cuda else None,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "device": torch.cuda.get_device_name(device) if on_cuda else _processor(),
        "cuda": torch.version.cuda if on_cuda else None,
        "driver": _driver() if on_cuda else None,
        "threads": torch.get_num_threads(),
        "cpus": os.cpu_count(),
        "omp_wait_policy": os.environ.get("OMP_WAIT_POLICY"),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _triton() -> str | None:
    for name in ("triton", "pytorch-triton"):
        with suppress(PackageNotFoundError):
            return version(name)
    return None


@cache
def _driver() -> str | None:
    with suppress(OSError):
        told = Path("/proc/driver/nvidia/version").read_text(encoding="ascii", errors="replace")
        if found := re.search(r"Module .*?(\d+\.\d[\d.]*)", told):
            return found[1]
    command = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        shown = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    versions = shown.stdout.split()
    return versions[0] if versions and shown.returncode == 0 else None
