"""Rewrites that differ in a call with other inputs, sizes or constants."""

# ruff: noqa: E501 - the long lines are programs

from __future__ import annotations

from rewrites.rewrite import Rewrite

FURTHER_CALLS = (
    Rewrite(
        "batch-branch-lost",
        "with batch size 1: output differs",
        ("if x.shape[0] == 1:\n    return -x * self.scale\nreturn x * self.scale", "return x * self.scale"),
    ),
    Rewrite(
        "only-contiguous",
        "with non-contiguous inputs: it raises RuntimeError",
        ("return (x * 1).reshape(-1) * self.scale.sum()", "return x.view(-1) * self.scale.sum()"),
    ),
    Rewrite(
        "abs-lost",
        "with inputs of another seed: output differs",
        ("return x.abs() * self.scale", "return x * self.scale"),
        inputs="torch.rand(2, 4, generator=torch.Generator().manual_seed(3)) + 0.1",
    ),
    Rewrite(
        "floor-for-int",
        "with negated inputs: output differs",
        ("return x.trunc() * self.scale", "return x.floor() * self.scale"),
        inputs="torch.rand(2, 4, generator=torch.Generator().manual_seed(3)) + 0.1 * 9",
    ),
    Rewrite(
        "loop-count-baked",
        "with 100 times larger inputs: output differs",
        ("while x.sum() > 30:\n    x = x / 2\nreturn x * self.scale", "return x / 2 ** 0 * self.scale"),
    ),
    Rewrite(
        "length-hard-coded",
        "with one element less in dimension 1: it raises IndexError",
        (
            "return torch.stack([x[:, i] * i for i in range(x.shape[1])], 1) * self.scale[0]",
            "return torch.stack([x[:, i] * i for i in range(4)], 1) * self.scale[0]",
        ),
    ),
    Rewrite(
        "empty-mask",
        "with masks all False: output differs",
        (
            "return x[mask].sum() / mask.sum() * self.scale",
            "return (x * mask).sum() / mask.sum().clamp(min=1) * self.scale",
        ),
        signature="def forward(self, x, mask):",
        inputs="torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]]), torch.tensor([[True, False, True, True], [True, True, False, True]])",
    ),
    Rewrite(
        "flag-baked",
        "with True for argument 1: output differs",
        ("if double:\n    x = x * 2\nreturn x * self.scale", "return x * self.scale"),
        signature="def forward(self, x, double):",
        inputs="torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]]), False",
    ),
    Rewrite(
        "flag-default-baked",
        "with double=True: output differs",
        ("if double:\n    x = x * 2\nreturn x * self.scale", "return x * self.scale"),
        signature="def forward(self, x, double=False):",
    ),
    Rewrite(
        "any-for-all",
        "with NaN-holding inputs: output has NaN in 1 of 8 elements where the original has none",
        (
            "if torch.isnan(x).any():\n    return torch.zeros_like(x) * self.scale\nreturn x * self.scale",
            "return torch.where(torch.isnan(x).all(), torch.zeros_like(x), x) * self.scale",
        ),
    ),
    Rewrite(
        "mean-over-padding",
        "with integers all 0: output differs",
        (
            "out = []\nfor row, n in zip(x, lengths.tolist()):\n    out.append(row[:n].mean(0) if n else row.sum(0) * 0)\nreturn torch.stack(out) * self.scale",
            "return x.mean(1) * self.scale",
        ),
        signature="def forward(self, x, lengths):",
        inputs="torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(0)), torch.tensor([3, 3])",
    ),
    Rewrite(
        "string-argument-baked",
        "with 'mean' for argument 1: output differs",
        (
            "if how == 'mean':\n    return x.mean() * self.scale\nreturn x.sum() * self.scale",
            "return x.sum() * self.scale",
        ),
        signature="def forward(self, x, how):",
        inputs="torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]]), 'sum'",
    ),
    Rewrite(
        "attribute-baked",
        "with 1.25 for limit: output differs",
        ("return x.clamp(min=self.limit) * self.scale", "return x.clamp(min=0.25) * self.scale"),
        init="self.limit = 0.25",
    ),
    Rewrite(
        "draws-in-the-order-of-strides",
        "with non-contiguous inputs: output differs",
        ("a = torch.rand(2, 4)\nreturn x * self.scale + a", "a = torch.rand_like(x)\nreturn x * self.scale + a"),
    ),
)
