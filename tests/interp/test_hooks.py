"""Hooks that a constructor registers: their bodies are traced where the module is called."""

from __future__ import annotations

import pytest
from harness import findings, marked

HEAD = """
import functools
import torch
from torch import nn
def show(module, inputs, output):
    print(output.shape){show}
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
        self.linear = nn.Linear(8, 8)
        {init}
    def save(self, module, inputs, output):
        self.stats = output.mean().item(){save}
    def tag(self, name, module, inputs, output):
        self.stats = output.mean().item(){tag}
    def look(self, module, inputs):
        if inputs[0].sum() > 0:{look}
            return None
    def keep(self, name):
        def hook(module, inputs, output):
            self.stats = output.mean().item(){keep}
        return hook
    def forward(self, x):
        return self.linear(self.body(x)){forward}
"""
NAMES = ("show", "save", "tag", "look", "keep", "forward")
REGISTERED = {
    "self.linear.register_forward_hook(show)": ("show", "BRK101"),
    "self.linear.register_forward_hook(self.save)": ("save", "BRK201"),
    "self.body[0].register_forward_hook(self.save)": ("save", "BRK201"),
    "self.linear.register_forward_hook(functools.partial(self.tag, 'a'))": ("tag", "BRK201"),
    "self.linear.register_forward_hook(self.keep('a'))": ("keep", "BRK201"),
    "for layer in self.modules(): layer.register_forward_hook(self.save)": ("save", "BRK201"),
    "self.register_forward_hook(self.save)": ("save", "BRK201"),
    "self.linear.register_forward_pre_hook(self.look)": ("look", "BRK301"),
    "self.linear.register_full_backward_hook(self.save)": ("forward", "BRK641"),
    "self.linear.register_backward_hook(self.save)": ("forward", "BRK641"),
    "self.linear.weight.register_hook(self.save)": ("", ""),
    "pass": ("", ""),
}


@pytest.mark.parametrize("init", REGISTERED)
def test_the_body_of_a_forward_hook_is_traced_and_a_backward_hook_breaks(init: str) -> None:
    place, code = REGISTERED[init]
    marks = {name: f"  # {code}" if name == place else "" for name in NAMES}
    source = HEAD.format(init=init, **marks)
    assert findings(source) == marked(source)
