"""What an arm tells of its machine is read, not imported: the original's process waits for it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

from breaklint.verify.arm import process


@pytest.mark.parametrize(
    "text",
    [
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024\n",
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550.54.15  Release Build  (builder)\n",
    ],
    ids=["closed", "open"],
)
def test_the_driver_is_what_the_kernel_says(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    process._driver.cache_clear()
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: text)
    assert process._driver() == "550.54.15"
    process._driver.cache_clear()


def test_tritons_version_is_read_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "version", lambda name: {"triton": "3.4.0"}[name])
    monkeypatch.setitem(sys.modules, "triton", None)
    assert process._triton() == "3.4.0"
