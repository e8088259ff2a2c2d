"""Rewrites that differ in the mode in which the model is not timed."""

from __future__ import annotations

from rewrites.rewrite import Rewrite

MODES = (
    Rewrite(
        "batch-statistics-lost",
        "in training mode: output differs",
        (
            "return self.norm(x) * self.scale",
            "n = self.norm\nreturn F.batch_norm(x, n.running_mean, n.running_var, n.weight, n.bias) * self.scale",
        ),
        init="self.norm = nn.BatchNorm1d(4)",
    ),
    Rewrite(
        "dropout-removed",
        "in training mode: output differs",
        ("return self.drop(x) * self.scale", "return x * self.scale"),
        init="self.drop = nn.Dropout(0.5)",
    ),
    Rewrite(
        "training-branch-lost",
        "in training mode: output differs",
        ("if self.training:\n    x = x + 1\nreturn x * self.scale", "return x * self.scale"),
    ),
    Rewrite(
        "evaluation-branch-lost",
        "in evaluation mode: output differs",
        ("if not self.training:\n    x = x + 1\nreturn x * self.scale", "return x * self.scale"),
        train=True,
    ),
    Rewrite(
        "mode-left-changed",
        "in training mode: state.drop.training is False",
        ("pass\nreturn x * self.scale + 1", "self.drop.eval()\nreturn x * self.scale + 1"),
        init="self.drop = nn.Dropout(0.5)",
    ),
    Rewrite(
        "buffer-in-train-only",
        "in training mode: state.seen differs",
        ("if self.training:\n    self.seen += x.detach().mean(0)\nreturn x * self.scale", "return x * self.scale"),
        init="self.register_buffer('seen', torch.zeros(4))",
    ),
)
