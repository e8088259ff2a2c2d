"""Rewrites that give another output or exception."""

from __future__ import annotations

from rewrites.rewrite import Rewrite

OUTPUTS = (
    Rewrite(
        "module-in-training-forced",
        "output differs",
        "return self.drop(x) * self.scale",
        init=("self.drop = nn.Dropout(0.5)", "self.drop = nn.Dropout(0.5)\nself.train = lambda mode=True: self"),
    ),
    Rewrite(
        "compiling-differs",
        "compiled, output differs",
        (
            "return x * self.scale + 1",
            "if torch.compiler.is_compiling():\n    return x * self.scale\nreturn x * self.scale + 1",
        ),
    ),
    Rewrite(
        "grad-mode-differs",
        "output differs",
        (
            "return x * self.scale + 1",
            "if torch.is_grad_enabled():\n    return x * self.scale\nreturn x * self.scale + 1",
        ),
    ),
    Rewrite(
        "dropout-always",
        "output differs",
        ("return F.dropout(x, 0.5, self.training) * self.scale", "return F.dropout(x, 0.5, True) * self.scale"),
        init="self.p = 0.5",
    ),
    Rewrite(
        "forward-hook-lost",
        "output differs",
        ("return self.fc(x) * self.scale", "return F.linear(x, self.fc.weight, self.fc.bias) * self.scale"),
        init=(
            "self.fc = nn.Linear(4, 4)\nself.fc.register_forward_hook(lambda m, i, o: o * 2)",
            "self.fc = nn.Linear(4, 4)\nself.fc.register_forward_hook(lambda m, i, o: o * 2)",
        ),
    ),
    Rewrite(
        "namedtuple-fields-swapped",
        "class of output is 'Pair of right, left'",
        "return Pair(x * self.scale, x)",
        top=(
            "import collections\nPair = collections.namedtuple('Pair', 'left right')",
            "import collections\nPair = collections.namedtuple('Pair', 'right left')",
        ),
    ),
    Rewrite(
        "generator-argument-lost",
        "output differs",
        ("return x * self.scale + torch.rand(4, generator=self.generator)", "return x * self.scale + torch.rand(4)"),
        init="self.generator = torch.Generator().manual_seed(3)",
    ),
)
