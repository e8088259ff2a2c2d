"""Rewrites that change inputs otherwise, or share memory otherwise."""

from __future__ import annotations

from rewrites.rewrite import Rewrite

INPUTS = (
    Rewrite(
        "output-view-of-buffer",
        "memory of output 1 is new",
        ("return x * self.scale, self.o + 0", "return x * self.scale, self.o"),
        init="self.register_buffer('o', torch.ones(4))",
    ),
    Rewrite(
        "output-shared",
        "memory of output 1 is new",
        ("y = x * self.scale\nreturn y, y.clone()", "y = x * self.scale\nreturn y, y"),
    ),
    Rewrite(
        "output-view-of-input",
        "memory of output 0 is new",
        ("return x.clone()[:, :2], x * self.scale", "return x[:, :2], x * self.scale"),
    ),
    Rewrite(
        "list-input-appended",
        "class of inputs[0][1] is 'list of 0'",
        ("y = x * self.scale\nseen.append(y.sum())\nreturn y", "y = x * self.scale\npass\nreturn y"),
        signature="def forward(self, x, seen):",
        inputs="torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]]), []",
    ),
    Rewrite(
        "input-changed-in-place",
        "inputs[0][0] differs",
        ("y = x.clone()\ny.mul_(2)\nreturn y * self.scale", "x.mul_(2)\nreturn x * self.scale"),
    ),
    Rewrite(
        "input-change-lost",
        "inputs[0][0] differs",
        ("x.clamp_(min=0)\nreturn x * self.scale", "return x.clamp(min=0) * self.scale"),
    ),
    Rewrite(
        "popped-key-kept",
        "class of inputs[0][0] is 'dict of x'",
        ("return batch.pop('x') * self.scale", "return batch['x'] * self.scale"),
        signature="def forward(self, batch):",
        inputs="{'x': torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]])}",
    ),
)
