"""Where the bytecode of torch lies, which takes longer to make than all else that verify does with a small model."""

from __future__ import annotations

import importlib.util
import os
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from breaklint.verify.arm import worker


@pytest.mark.parametrize(
    ("has_bytecode", "is_writable", "is_off", "is_elsewhere"),
    [
        (False, False, False, True),
        (False, True, True, True),
        (True, False, False, False),
        (True, True, True, False),
        (False, True, False, False),
    ],
)
def test_bytecode_goes_to_the_users_cache_if_torch_has_none_and_cannot_get_any(
    has_bytecode: bool,
    is_writable: bool,
    is_off: bool,
    is_elsewhere: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = ModuleSpec("torch", None, origin=str(tmp_path / "torch/__init__.py"))
    spec.cached = str(tmp_path / "torch/__pycache__/__init__.pyc")
    if has_bytecode:
        Path(spec.cached).parent.mkdir(parents=True)
        Path(spec.cached).touch()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: spec)
    monkeypatch.setattr(os, "access", lambda *_: is_writable)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setattr(sys, "dont_write_bytecode", is_off)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    worker._choose_bytecode()
    assert sys.pycache_prefix == (str(tmp_path / "breaklint/bytecode") if is_elsewhere else None)
    assert sys.dont_write_bytecode is (is_off and not is_elsewhere)
