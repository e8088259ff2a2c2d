"""Functions whose source a library compiles know no torch: nothing in them is fixed."""

from __future__ import annotations

import pytest

from breaklint.lint.engine import Engine
from breaklint.model import Settings

NET = """\
import numba
import taichi as ti
import warp as wp
import torch
from functools import lru_cache


{}
def told(n):
    print(n)


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        told(3)
        return x
"""


@pytest.mark.parametrize("decorator", ["@ti.kernel", "@wp.func", "@ti.func\n@lru_cache", "@ti.kernel(fast=True)"])
def test_a_function_whose_source_is_compiled_is_left(decorator: str) -> None:
    text = NET.format(decorator)
    result = Engine(Settings()).check("net.py", text)
    assert [finding.code for finding in result.findings] == ["BRK101"]
    assert "compiles the source" in result.findings[0].no_fix
    assert Engine(Settings()).fix("net.py", text, True).text is None


@pytest.mark.parametrize("decorator", ["", "@lru_cache", "@torch.no_grad()"])
def test_a_function_under_another_decorator_is_fixed(decorator: str) -> None:
    assert "is_compiling" in (Engine(Settings()).fix("net.py", NET.format(decorator), False).text or "")


def test_the_methods_of_a_class_whose_source_is_compiled_are_left() -> None:
    text = NET.format(
        "@numba.experimental.jitclass\nclass Told:\n    def told(self, n):\n        print(n)\n\n\nheld = Told()\n\n"
    )
    text = text.replace("told(3)", "held.told(3)")
    result = Engine(Settings()).check("net.py", text).findings
    assert [(item.code, "jitclass` compiles the source" in item.no_fix) for item in result] == [("BRK101", True)]
