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
        "check-lost",
        "with batch size 1: it raises nothing where the original raises ValueError",
        ("if x.shape[0] % 2:\n    raise ValueError(x.shape)\nreturn x * self.scale", "return x * self.scale"),
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
        "clamp-lost",
        "with inputs of another seed: output has NaN in 1 of 8 elements where the original has none",
        ("return x.clamp(min=0).sqrt() * self.scale", "return x.sqrt() * self.scale"),
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
        "while-to-fixed",
        "with batch size 1: output differs",
        (
            "n = 0\nwhile x.abs().max() > 1:\n    x = x / 2\n    n += 1\nreturn x * self.scale",
            "for _ in range(3):\n    x = x / 2\nreturn x * self.scale",
        ),
    ),
    Rewrite(
        "batch-hard-coded",
        "with batch size 1: it raises RuntimeError",
        (
            "return x.reshape(len(x), 2, 2).sum(1)",
            "return torch.cat([x[0:1].reshape(1, 2, 2), x[1:2].reshape(1, 2, 2)]).sum(1)",
        ),
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
        "length-hard-coded-arange",
        "with one element less in dimension 1: output differs",
        (
            "return x * torch.arange(x.shape[1]) * self.scale[0]",
            "return x[:, :4] * torch.arange(4)[: x.shape[1]].flip(0).flip(0) * self.scale[0] if x.shape[1] == 4 else x",
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
        "mask-ignored-where-true",
        "with masks all False: output differs",
        ("return torch.where(mask, x, x * 2) * self.scale", "return x * self.scale"),
        signature="def forward(self, x, mask):",
        inputs="torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]]), torch.ones(2, 4, dtype=torch.bool)",
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
        "number-baked",
        "with 3 for argument 1: output differs",
        ("return x * times * self.scale", "return x * 2 * self.scale"),
        signature="def forward(self, x, times):",
        inputs="torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]]), 2",
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
        "nan-check-lost",
        "with NaN-holding inputs: it raises nothing where the original raises ValueError",
        (
            "if not torch.isfinite(x).all():\n    raise ValueError('bad')\nreturn x * self.scale",
            "return x * self.scale",
        ),
    ),
    Rewrite(
        "short-circuit-lost",
        "with batch size 1: it raises IndexError",
        (
            "if x.shape[0] > 1 and x[1, 0] > 0:\n    return x * self.scale\nreturn x - 1",
            "return torch.where(x[1, 0] > 0, x * self.scale, x - 1)",
        ),
    ),
    Rewrite(
        "float-argument",
        "with 3.0 for argument 1: output differs",
        ("return x * factor * self.scale", "return x * 2.0 * self.scale"),
        signature="def forward(self, x, factor):",
        inputs="torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]]), 2.0",
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
        "tuple-argument-baked",
        "with 3 for argument 1[0]: output differs",
        ("return x * size[0] * self.scale + size[1]", "return x * 2 * self.scale + 3"),
        signature="def forward(self, x, size):",
        inputs="torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]]), (2, 3)",
    ),
    Rewrite(
        "nested-argument-baked",
        "with 1.5 for argument 1['by'][1]: output differs",
        ("return x * how['by'][1] * self.scale", "return x * 0.5 * self.scale"),
        signature="def forward(self, x, how):",
        inputs="torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]]), {'by': [2.0, 0.5]}",
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
        "default-number-baked",
        "with times=3: output differs",
        ("return x * times * self.scale", "return x * 2 * self.scale"),
        signature="def forward(self, x, times=2):",
    ),
    Rewrite(
        "attribute-baked",
        "with 1.25 for limit: output differs",
        ("return x.clamp(min=self.limit) * self.scale", "return x.clamp(min=0.25) * self.scale"),
        init="self.limit = 0.25",
    ),
    Rewrite(
        "attribute-flag-baked",
        "with True for double: output differs",
        ("if self.double:\n    x = x * 2\nreturn x * self.scale", "return x * self.scale"),
        init="self.double = False",
    ),
    Rewrite(
        "loop-count-attribute-baked",
        "with 3 for steps: output differs",
        ("for _ in range(self.steps):\n    x = x * self.scale\nreturn x", "return x * self.scale * self.scale"),
        init="self.steps = 2",
    ),
    Rewrite(
        "int-mean-truncated",
        "with batch size 3: output differs",
        ("return x.float().mean(0) * self.scale", "return (x.sum(0) // len(x)) * self.scale"),
        inputs="torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]])",
    ),
    Rewrite(
        "assert-lost",
        "with one element less in dimension 1: it raises nothing where the original raises AssertionError",
        (
            "assert x.dim() == 2 and x.shape[1] == 4, x.shape\nreturn x.sum() * self.scale",
            "return x.sum() * self.scale",
        ),
    ),
    Rewrite(
        "exception-type",
        "with batch size 3: it raises RuntimeError",
        (
            "if x.shape[0] == 3:\n    raise ValueError('three')\nreturn x * self.scale",
            "if x.shape[0] == 3:\n    raise RuntimeError('three')\nreturn x * self.scale",
        ),
    ),
    Rewrite(
        "finite-check-lost",
        "with NaN-holding inputs: it raises nothing where the original raises ValueError",
        (
            "if not torch.isfinite(x).all():\n    raise ValueError('not finite')\nreturn x * self.scale",
            "return x * self.scale",
        ),
    ),
    Rewrite(
        "nan-as-zero",
        "with NaN-holding inputs: output has NaN in 1 of 8 elements where the original has none",
        ("return torch.where(x.isnan(), 0.0, x) * self.scale", "return x * self.scale"),
    ),
    Rewrite(
        "draws-in-the-order-of-strides",
        "with non-contiguous inputs: output differs",
        ("a = torch.rand(2, 4)\nreturn x * self.scale + a", "a = torch.rand_like(x)\nreturn x * self.scale + a"),
    ),
    Rewrite(
        "index-error-lost",
        "with batch size 3: gradients.input 0 differs",
        ("return x * self.scale, x[2 if len(x) > 2 else 0]", "return x * self.scale, x[0]"),
    ),
    Rewrite(
        "endless-for-zeros",
        "with inputs of another seed: output differs",
        (
            "for _ in range(3):\n    if x.abs().max() < 100:\n        x = x * 2\nreturn x * self.scale",
            "while x.abs().max() < 40:\n    x = x * 2\nreturn x * self.scale",
        ),
    ),
)
